"""Arrays, maps and unions, and schemas that no type means."""

from typing import Final

from contract.shape import nodes, text_forms
from contract.shape.schema_reader import kind_of
from tests.codegen_documents import CARD, CASH, Schema, closed, form, package, read, ref, refusal
from tests.paper import named, said
from tests.tables import rows

ANY: Final = nodes.AnyShape()
ARRAY: Final = {"type": "array"}
OBJECT: Final = {"type": "object"}
TEXT: Final = {"type": "string"}
NULL: Final = {"type": "null"}
BOOLEAN: Final = {"type": "boolean"}
INTEGER: Final = {"type": "integer"}
BESIDE_REF: Final = "no type has a rule like this beside $ref"
BESIDE_TYPE: Final = 'no type has a rule like this beside "type"'
EVERY_POSITION: Final = "every position of a tuple must be there"
WHAT_FOLLOWS: Final = "this does not say what follows the first items"


def array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def keys(names: Schema) -> Schema:
    return {"type": "object", "propertyNames": names}


SET: Final = {**array(NULL), "uniqueItems": True}
PAIR: Final = {"prefixItems": [{}, NULL], "items": False, "minItems": 2}
ENUM: Final = {"type": "string", "enum": ["a"], "x-contract-enum-names": ["A"]}
INTEGERS: Final = form(text_forms.INTEGER_KEY, "int", **{"x-contract-bounds": {"ge": 0}})


SOME_KEYS: Final = OBJECT | {"properties": {}, "minProperties": 1, "required": []}


# Arrays and maps.


@rows(
    "schema, found",
    (ARRAY, nodes.ArrayShape(ANY)),
    (ARRAY | {"items": True, "minItems": 0}, nodes.ArrayShape(ANY)),
    ({**array(NULL), "maxItems": 0}, nodes.ArrayShape(nodes.NullShape(), max_items=0)),
    (SET, nodes.ArrayShape(nodes.NullShape(), "set")),
    (SET | {"x-contract-type": "frozenset"}, nodes.ArrayShape(nodes.NullShape(), "frozenset")),
    (ARRAY | {"uniqueItems": False, "x-contract-type": "set"}, nodes.ArrayShape(ANY)),
    (ARRAY | {"x-contract-type": "tuple", "minItems": 1}, nodes.ArrayShape(ANY, "tuple", 1)),
    (ARRAY | {"items": False}, nodes.TupleShape(())),
    (ARRAY | PAIR, nodes.TupleShape((nodes.AnyShape(), nodes.NullShape()))),
    (ARRAY | {"prefixItems": [{}], "minItems": 1, "maxItems": 1}, nodes.TupleShape((ANY,))),
    (OBJECT, nodes.MapShape(nodes.StrShape(), ANY)),
    (SOME_KEYS, nodes.MapShape(nodes.StrShape(), ANY, 1)),
    (OBJECT | {"additionalProperties": NULL}, nodes.MapShape(nodes.StrShape(), nodes.NullShape())),
    (keys({"pattern": "a"}), nodes.MapShape(nodes.StrShape(patterns=("a",)), nodes.AnyShape())),
    (keys({"enum": ["a", "b"]}), nodes.MapShape(nodes.LiteralShape(("a", "b")), nodes.AnyShape())),
    (keys(INTEGERS), nodes.MapShape(nodes.IntShape(0), nodes.AnyShape())),
    (keys(ref("E")), nodes.MapShape(named("E"), nodes.AnyShape())),
    (keys(ref("Same")), nodes.MapShape(named("E"), nodes.AnyShape())),
    (keys(ENUM), nodes.MapShape(named("DoInputKey"), nodes.AnyShape())),
)
def test_arrays_and_maps(schema: Schema, found: nodes.Shape) -> None:
    assert said(read(schema, E=ENUM, Same=ref("E"))) == said(found)


NO_KEY: Final = "keys must be texts, with or without a form, integers or an enum; write one of these, in place if it is not an enum"


@rows(
    "schema, where, problem",
    ({"minItems": 2, "maxItems": 1}, "", "nothing has at least 2 and at most 1 of these"),
    ({"prefixItems": [{}]}, "", WHAT_FOLLOWS),
    ({"prefixItems": [{}], "items": {}, "minItems": 1}, "", WHAT_FOLLOWS),
    ({"prefixItems": [{}], "items": False}, "", EVERY_POSITION),
    (PAIR | {"maxItems": 2, "uniqueItems": True}, ".uniqueItems", "a tuple of different items"),
    ({"prefixItems": [{}], "items": False, "minItems": 2}, "", EVERY_POSITION),
    ({"items": False, "maxItems": 0, "minItems": 1}, "", "nothing has at least 1 and at most 0"),
    ({"anyOf": [{}], "items": {}}, ".items", "no type has a rule like this beside anyOf"),
    ({"allOf": [{}]}, ".allOf", BESIDE_TYPE),
    ({"if": {}}, ".if", BESIDE_TYPE),
)
def test_arrays_of_no_type_are_refused(schema: Schema, where: str, problem: str) -> None:
    path, found = refusal(ARRAY | {**schema} if "anyOf" not in schema else schema)

    assert (path, found[: len(problem)]) == (where, problem)


@rows(
    "names",
    *(INTEGER, {"type": ["string"]}, {"const": 1}, {"const": None}, {"anyOf": [{}]}),
    *({"const": 1, "x-contract-type": "int"}, {"enum": [1], "x-contract-enum-names": ["A"]}),
    *(ref("Text"), ref("Level")),
)
def test_keys_are_texts(names: Schema) -> None:
    level = {"type": "integer", "enum": [1], "x-contract-enum-names": ["LOW"]}

    assert refusal(keys(names), Text=TEXT, Level=level) == (".propertyNames", NO_KEY)


def test_integers_stand_as_keys_in_their_digits() -> None:
    names = {"type": "string", "enum": ["1", "-2"], "x-contract-type": "int"}

    assert read(keys(names)) == nodes.MapShape(nodes.LiteralShape((1, -2)), nodes.AnyShape())
    names["enum"] = ["1", "02"]
    problem = "as a key, an integer is written in plain digits; write it so"
    assert refusal(keys(names)) == (".propertyNames", problem)


def test_a_map_requires_no_keys() -> None:
    problem = "this requires what no schema describes; write it into properties"
    assert refusal(OBJECT | {"required": ["a"]}) == (".required", problem)


def test_arrays_do_not_stand_within_each_other_without_end() -> None:
    """Compilers and readers of types call themselves for each level."""
    schema: Schema = NULL
    for _ in range(50):
        schema = array(schema)
    read(schema)

    problem = refusal(array(schema))[1]
    assert problem.startswith("more than 50 arrays and maps are nested in each other")
    # an object has a name, and begins anew
    package(ARRAY | {"items": closed(a=schema)})


def test_names_do_not_stand_for_each_other_without_end() -> None:
    """What is compiled of a name has all that the names in it stand for."""
    pairs: dict[str, Schema] = {"N0": TEXT}
    for number in range(1, 31):
        inner = {"anyOf": [ref(f"N{number - 1}"), NULL]}
        pairs[f"N{number}"] = ARRAY | PAIR | {"prefixItems": [inner, inner]}

    place, problem = refusal(ref("N30"), **pairs)
    assert place == "$.$defs.N13"
    assert problem.startswith("it stands for more than 20000 types")
    # an object is compiled once, and so is a name that contains itself
    read(
        ref("O"), O=closed(a=ref("N12"), b=ref("N12")), **{key: pairs[key] for key in [*pairs][:13]}
    )
    read(ref("R"), R={"anyOf": [array(ref("R")), NULL]})


# What has no type.


def test_a_schema_without_a_type_is_any_value_or_refused() -> None:
    assert read({"title": "x", "description": "y", "x-other": 1}) == nodes.AnyShape()
    untyped: list[Schema] = [{"minLength": 1}, {"properties": {"a": {}}}]
    for schema in (*untyped, {"allOf": [{"pattern": "a"}]}):
        assert refusal(schema)[1].startswith("the type is missing")


@rows(
    "schema, where, problem",
    ({"type": "null", "allOf": [{}]}, ".allOf", BESIDE_TYPE),
    ({"type": "integer", "if": {}}, ".if", BESIDE_TYPE),
    (OBJECT | {"then": {}}, ".then", BESIDE_TYPE),
    ({"$ref": "#/$defs/A", "minLength": 1}, ".minLength", BESIDE_REF),
    ({"$ref": "#/$defs/B"}, ".$ref", "there is no such type in $defs"),
)
def test_rules_that_no_type_has_are_refused(schema: Schema, where: str, problem: str) -> None:
    path, found = refusal(schema, A=TEXT)

    assert (path, found[: len(problem)]) == (where, problem)


# Unions.


def either(*members: nodes.Shape) -> nodes.Shape:
    return nodes.UnionShape(members)


def nullable(*members: nodes.Shape) -> nodes.Shape:
    return nodes.NullableShape(either(*members))


LISTED: Final = {"anyOf": [{"const": "a"}, BOOLEAN, {"enum": ["b", "a", None]}]}
OVERLAPPING: Final = {"anyOf": [{"type": ["string", "null"]}, {"type": ["integer", "string"]}]}


@rows(
    "schema, found",
    ({"type": ["boolean"]}, nodes.BoolShape()),
    ({"type": ["integer", "null"], "minimum": 0}, nodes.NullableShape(nodes.IntShape(0))),
    ({"type": ["null"]}, nodes.NullShape()),
    ({"type": ["string", "number"], "minLength": 1}, either(nodes.StrShape(1), nodes.FloatShape())),
    ({"anyOf": [NULL, TEXT]}, nodes.NullableShape(nodes.StrShape())),
    ({"anyOf": [NULL, NULL]}, nodes.NullShape()),
    ({"anyOf": [TEXT, {}]}, nodes.AnyShape()),
    (LISTED, nullable(nodes.LiteralShape(("a", "b")), nodes.BoolShape())),
    ({"anyOf": [{"anyOf": [TEXT, NULL]}, BOOLEAN]}, nullable(nodes.StrShape(), nodes.BoolShape())),
    (OVERLAPPING, nullable(nodes.StrShape(), nodes.IntShape())),
    ({"oneOf": [TEXT]}, nodes.StrShape()),
    ({"anyOf": [ref("A"), NULL]}, nodes.NullableShape(named("A"))),
)
def test_unions(schema: Schema, found: nodes.Shape) -> None:
    assert said(read(schema, A=closed())) == said(found)


def test_references_in_a_circle_come_to_an_end() -> None:
    """A reader of documents refuses them; they are not followed for ever even so."""
    found = package(OBJECT | {"additionalProperties": ref("A")}, A=ref("B"), B=ref("A"))

    assert said(found.definitions["A"].shape) == said(named("B"))
    assert refusal(keys(ref("A")), A=ref("B"), B=ref("A"))[1] == NO_KEY
    united = read({"anyOf": [ref("A"), TEXT]}, A=ref("B"), B=ref("A"))
    assert said(united) == said(nodes.UnionShape((named("A"), nodes.StrShape())))
    problem = refusal({"oneOf": [ref("A"), ref("C")]}, A=ref("B"), B=ref("A"))[1]
    assert problem.startswith("only objects are told apart")


def test_what_has_a_name_of_its_own_is_not_in_place() -> None:
    record, color = closed(a={}), {"enum": ["a"], "x-contract-enum-names": ["A"]}
    place = ARRAY | {"x-contract-type": "namedtuple", "items": False, "maxItems": 0}

    assert [*map(kind_of, (record, place, color))] == ["record", "namedtuple", "enum"]
    assert [kind_of({**schema, "anyOf": [{}]}) for schema in (record, place, color)] == [None] * 3
    assert kind_of(OBJECT) is None
    assert said(read(array(place))) == said(nodes.ArrayShape(named("DoInputItem")))


def test_a_tagged_union_may_hold_what_stands_in_place() -> None:
    cases = (("card", named("DoInputOption0")), ("cash", named("Cash")), ("coins", named("Cash")))
    tagged = nodes.TaggedUnionShape("kind", "kind", cases)
    assert said(read({"oneOf": [CARD, ref("Cash")]}, Cash=CASH)) == said(tagged)
