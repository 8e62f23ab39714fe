from orjson import dumps

from contract.pred.report import DEAF, INVALID, Report
from contract.shape.issues import MAX_ISSUES, to_json
from contract.shape.json_text import kind_of


def test_what_is_added_is_told_in_order_with_its_path() -> None:
    report = Report()
    assert report.add("missing", "name") is INVALID
    report.under(0, 3)
    told = report.told
    report.add("integer_type")
    report.under(told, "price")
    report.under(0, "lines")

    first, second = report.issues()

    assert (first.path, first.code) == (("lines", 3, "name"), "missing")
    assert (second.path, second.code) == (("lines", "price"), "integer_type")
    assert not report.truncated


def test_params_come_along() -> None:
    report = Report()
    report.add("less_than_equal", le=5)

    assert report.issues()[0].params == (("le", 5),)
    assert report.issues()[0].message == "Must be at most 5."


def test_a_full_report_says_so_and_keeps_the_first() -> None:
    report = Report()
    for index in range(MAX_ISSUES):
        report.add("unknown_key", str(index))
    before = report.full

    report.add("unknown_key", "one too many")

    assert (before, report.full, report.hasty, report.truncated) == (False, True, True, True)
    assert [issue.path for issue in report.issues()] == [
        (str(index),) for index in range(MAX_ISSUES)
    ]


def test_a_deaf_report_keeps_nothing() -> None:
    assert DEAF.add("missing", "name") is INVALID
    DEAF.under(0, "key")

    assert DEAF.issues() == ()
    assert DEAF.full
    assert DEAF.hasty


def test_the_kind_of_a_value_is_its_exact_type() -> None:
    assert kind_of(True) is bool


def test_what_is_told_stays_below_16_kib() -> None:
    report = Report()
    for index in range(MAX_ISSUES):
        report.add(
            "unknown_value",
            index,
            allowed=[f"value-number-{at:03}-of-this-enum" for at in range(50)],
        )

    told = report.issues()

    assert 1 < len(told) < MAX_ISSUES
    assert len(dumps([to_json(issue) for issue in told])) < 14_100
    assert report.truncated


def test_params_that_are_long_stay_out() -> None:
    report = Report()
    report.add("pattern", "name", pattern="a" * 10_000)
    report.add("less_than_equal", "age", le=5)

    first, second = report.issues()

    assert (first.path, first.params, len(first.message)) == (("name",), (), 200)
    assert second.params == (("le", 5),)
    assert not report.truncated
