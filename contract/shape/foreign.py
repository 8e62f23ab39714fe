"""
Foreign: the classes of attrs, msgspec and pydantic whose fields can be read and checked here.

None of these packages is imported: a class of theirs is known by the attributes that they give it.
An input is checked like that of a dataclass. Then the class is called with its fields by name, as
its own package would have it. Anything else that would check, change, add or rename a value is
refused, with advice on what to write instead: no document could describe it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NoReturn

from pydantic_core import ValidationError
from typing_extensions import Doc

from contract.shape.exceptions import UnsupportedAnnotation
from contract.shape.markers import Example, Pattern
from contract.shape.nodes import MISSING
from contract.shape.quoting import shown
from contract.shape.scope import own_annotations

__all__ = [
    "OF_A_ROW",
    "ForeignField",
    "Maker",
    "foreign_fields",
    "has_late_step",
    "is_table",
    "knows_what_was_set",
    "foreign_maker",
    "raised_within",
]

OF_A_ROW: Final = "a dataclass with the fields that are to be sent, and make one of each row"
"""The advice to those who declare a table as a type."""

Maker = Literal["attrs", "msgspec", "pydantic"]
"""The package that made a class."""


@dataclass(frozen=True, slots=True)
class ForeignField:
    """A field as its class declares it."""

    name: str
    annotation: object = MISSING
    """Given if it differs from the annotation in the body of the class."""
    default: Any = MISSING
    default_factory: Callable[[], Any] | None = None
    init: bool = True


def foreign_maker(cls: type[Any]) -> Maker | None:
    """The package that made *cls*, if it is one of the three."""
    if hasattr(cls, "__attrs_attrs__"):
        return "attrs"
    if hasattr(cls, "__struct_fields__") and hasattr(cls, "__struct_config__"):
        return "msgspec"
    if hasattr(cls, "__pydantic_decorators__"):
        return "pydantic"
    return None


def foreign_fields(cls: type[Any], where: str) -> list[ForeignField]:
    """
    The fields of *cls*, in order, inherited ones included.

    Raises:
        UnsupportedAnnotation: The class does more with a value than hold it.
    """
    match foreign_maker(cls):
        case "attrs":
            return [*_attrs_fields(cls, where)]
        case "msgspec":
            return [*_struct_fields(cls, where)]
        case _:
            return [*_model_fields(cls, where)]


def has_late_step(cls: type[Any]) -> bool:
    """Whether code of the author's runs once an instance has all its fields."""
    names = ("__attrs_post_init__", "__post_init__")
    return (
        any(hasattr(cls, name) for name in names)
        or getattr(cls, "__pydantic_post_init__", None) is not None
    )


def is_table(cls: type[Any]) -> bool:
    """Whether SQLAlchemy has mapped *cls* to a table; SQLModel has it do so."""
    return hasattr(cls, "__mapper__")


def knows_what_was_set(cls: type[Any]) -> bool:
    """Whether an instance of *cls* tells which fields it was given (``model_fields_set``)."""
    return foreign_maker(cls) == "pydantic"


def raised_within(cls: type[Any], error: ValidationError) -> ValueError | AssertionError | None:
    """
    The author's own exception in *error*, which pydantic raised while it made a *cls*.

    It is None if the error is not the author's.
    """
    if foreign_maker(cls) != "pydantic" or error.title != cls.__name__:
        return None
    for each in error.errors(include_url=False, include_input=False):
        cause: object = each.get("ctx", {}).get("error")
        if isinstance(cause, ValueError | AssertionError):
            return cause
    return None


def _refuse(where: str, problem: str, instead: str) -> NoReturn:
    raise UnsupportedAnnotation(where, f"{problem}; {instead}")


_RULE: Final = "write Annotated[...] with a constraint of annotated_types"


# attrs: https://www.attrs.org/en/stable/extending.html


def _attrs_fields(cls: type[Any], where: str) -> Iterator[ForeignField]:
    maker = next(base for base in cls.__mro__ if "__init__" in vars(base))
    code: Any = getattr(vars(maker)["__init__"], "__code__", None)
    if code is None or not code.co_filename.startswith("<attrs generated"):
        _refuse(
            where,
            f"{cls.__name__} has its own __init__, whose parameters are unknown here",
            "write __attrs_post_init__",
        )
    if "__attrs_attrs__" not in vars(cls) and own_annotations(cls):
        _refuse(
            where,
            f"{cls.__name__} adds fields to a class of attrs but is not one itself",
            "write @attrs.define above it",
        )
    attributes: tuple[Any, ...] = vars(cls).get("__attrs_attrs__", cls.__attrs_attrs__)
    for each in attributes:
        _check_attribute(each, f"{where}.{each.name}")
        factory = getattr(each.default, "factory", None)
        # attrs.NOTHING stands for no default
        has_none = factory is not None or type(each.default).__name__ == "_Nothing"
        default = MISSING if has_none else each.default
        yield ForeignField(each.name, default=default, default_factory=factory, init=each.init)


def _check_attribute(attribute: Any, where: str) -> None:
    if attribute.validator is not None:
        _refuse(where, "it has a validator, which no document can describe", _RULE)
    if attribute.converter is not None:
        _refuse(
            where, "it has a converter, which would change what was checked", "write its type alone"
        )
    if attribute.init and getattr(attribute, "alias", attribute.name) != attribute.name:
        _refuse(where, f"__init__ calls it {attribute.alias}", f"call the field {attribute.alias}")
    if getattr(attribute.default, "takes_self", False):
        _refuse(where, "its default depends on other fields", "give it in __attrs_post_init__")


# msgspec: https://jcristharif.com/msgspec/structs.html


def _struct_fields(cls: type[Any], where: str) -> Iterator[ForeignField]:
    struct: Any = cls
    config: Any = struct.__struct_config__
    if config.array_like:
        _refuse(where, f"{cls.__name__} is array_like", "write a NamedTuple, or leave that out")
    if config.tag is not None:
        _refuse(
            where,
            f"{cls.__name__} has a tag that is not a field",
            f"leave it out, and write a field {config.tag_field}: Literal[{config.tag!r}]",
        )
    names: tuple[str, ...] = struct.__struct_fields__
    sent: tuple[str, ...] = struct.__struct_encode_fields__
    given: tuple[Any, ...] = struct.__struct_defaults__
    # the defaults are those of the last fields; the first ones have none
    first = len(names) - len(given)
    for index, (name, wire) in enumerate(zip(names, sent, strict=True)):
        if name != wire:
            _refuse(f"{where}.{name}", f"msgspec calls it {shown(wire)}", _named(wire))
        default: Any = given[index - first] if index >= first else MISSING
        match type(default).__name__:
            case "Factory":
                yield ForeignField(name, default_factory=default.factory)
            # a field without a default may stand behind others if it is given by keyword (kw_only)
            case "NoDefaultType":
                yield ForeignField(name)
            case _:
                yield ForeignField(name, default=default)


def _named(wire: str) -> str:
    return f"leave that out, and write Annotated[..., Name({shown(wire)})]"


# pydantic: https://docs.pydantic.dev/latest/api/fields/

_HARMLESS: Final = frozenset(
    {
        "arbitrary_types_allowed",
        "defer_build",
        "extra",
        "from_attributes",
        "frozen",
        "json_schema_extra",
        "populate_by_name",
        "protected_namespaces",
        "strict",
        "title",
        "use_attribute_docstrings",
        "validate_assignment",
        "validate_by_name",
    }
)
"""Options of a model that change neither its fields nor, once it is checked, what it takes."""


_OWN_RULE: Final = f"{_RULE}, or a dataclass with __post_init__"
_COMPUTED: Final = "write a field, and give it where the model is made"

_DECORATORS: Final = (
    "validators",
    "field_validators",
    "root_validators",
    "field_serializers",
    "model_serializers",
    "model_validators",
    "computed_fields",
)


def _model_fields(cls: type[Any], where: str) -> Iterator[ForeignField]:
    model: Any = cls
    _check_model(model, where)
    for name, info in model.model_fields.items():
        _check_info(info, f"{where}.{name}")
        has_none = info.default_factory is not None or info.is_required()
        default = MISSING if has_none else info.default
        yield ForeignField(
            name,
            annotation=_annotated(info),
            default=default,
            default_factory=info.default_factory,
        )


def _check_model(model: Any, where: str) -> None:
    name: str = model.__name__
    if model.__pydantic_root_model__:
        _refuse(where, f"{name} is a RootModel", "write the type that it holds")
    if model.__pydantic_generic_metadata__["origin"] is not None:
        _refuse(where, f"{name} is a generic model", "write a model without type arguments")
    if model.__pydantic_custom_init__:
        _refuse_init(model, where)
    for kind in _DECORATORS:
        found: Iterable[str] = getattr(model.__pydantic_decorators__, kind, ())
        instead = _COMPUTED if kind == "computed_fields" else _OWN_RULE
        for function in found:
            _refuse(
                where,
                f"{name}.{function} is one of its {kind}, which no document can describe",
                instead,
            )
    for option, value in model.model_config.items():
        if option not in _HARMLESS or (option, value) == ("extra", "allow"):
            _refuse(
                where,
                f"{name} has {option}={shown(value)} in its model_config, which has no place here",
                "leave it out",
            )


def _refuse_init(model: Any, where: str) -> NoReturn:
    name: str = model.__name__
    maker = next(base for base in model.__mro__ if "__init__" in vars(base))
    if is_table(model):
        _refuse(where, f"{name} is a table", f"write {OF_A_ROW}")
    if maker.__module__.partition(".")[0] == "sqlmodel":
        _refuse(where, f"{name} is a model of SQLModel", "write BaseModel of pydantic in its place")
    _refuse(
        where,
        f"{name} has its own __init__, whose parameters are unknown here",
        "write model_post_init",
    )


def _check_info(info: Any, where: str) -> None:
    for option in ("alias", "validation_alias", "serialization_alias"):
        wire: object = getattr(info, option)
        if wire is not None:
            # it may also be an AliasPath or AliasChoices, which have no single name
            text = wire if isinstance(wire, str) else "..."
            _refuse(where, f"it has {option}={shown(wire)}", _named(text))
    if info.exclude:
        _refuse(where, "it is excluded from what is sent", "leave that out, or the field")
    if getattr(info, "default_factory_takes_validated_data", False):
        _refuse(where, "its default depends on other fields", "give it in model_post_init")


def _annotated(info: Any) -> object:
    """The type of a field with its limits and its notes; unknown ones are refused later."""
    found: list[object] = []
    for each in info.metadata:
        options: dict[str, object] = getattr(each, "__dict__", {})
        if type(each).__name__ == "Strict":
            continue  # values are never coerced here
        if type(each).__name__ == "_PydanticGeneralMetadata" and [*options] == ["pattern"]:
            found.append(Pattern(str(options["pattern"])))
        else:
            found.append(each)
    if info.description:
        found.append(Doc(info.description))
    found += [Example(each) for each in info.examples or ()]
    annotation: Any = Annotated
    if not found:
        return info.annotation
    return annotation[(info.annotation, *found)]
