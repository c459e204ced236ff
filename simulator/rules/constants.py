"""Constants: how a game declares its rules, each with its source, and what they are as a designer sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.fields import FieldInfo

Rules = TypeVar("Rules", bound="GameRules")
SourceKind = Literal["rulebook", "derived", "assumed", "ours"]
Value = int | float | bool | str | tuple[Any, ...]

MAX_TURNS = 1_000_000
"""Largest turn cap: a turn is part of the address of every draw."""


@dataclass(frozen=True)
class Source:
    """Where a constant comes from: `kind`, and the section of the rulebook, the derivation or the reason."""

    kind: SourceKind
    note: str


def rulebook(section: str) -> Source:
    """Printed in the rulebook, in the section named."""
    return Source("rulebook", section)


def derived(how: str) -> Source:
    """Follows from what is printed."""
    return Source("derived", how)


def assumed(why: str) -> Source:
    """Not printed anywhere; chosen here, so its plausible range matters."""
    return Source("assumed", why)


def ours(why: str) -> Source:
    """A limit of the simulation and no rule of the game."""
    return Source("ours", why)


class Named(tuple[Any, ...]):  # noqa: SLOT001  a tuple has no slot for a name
    """A list with a name: a board or a set of dice, which would be too long to tell from the next one."""

    name: str

    def __new__(cls, name: str, entries: Iterable[Any]) -> Self:
        """The list, equal to any other list of the same entries."""
        named = super().__new__(cls, entries)
        named.name = name
        return named

    def __getnewargs__(self) -> tuple[str, tuple[Any, ...]]:
        """For copies."""
        return self.name, tuple(self)


def constant(
    default: Any,
    *,
    description: str,
    unit: str,
    source: Source,
    plausible: Sequence[Any] = (),
    left_out: Any = None,
    at_most: str | None = None,
    **bounds: Any,
) -> Any:
    """Declare a rule constant as a pydantic field.

    Args:
        default: the value the game ships with.
        description: one sentence for a designer.
        unit: what one is one of ("stars", "cards"), or what the value is ("list of spaces").
        source: where the default comes from.
        plausible: for the assumed, the values or the two ends between which the truth may lie.
        left_out: the value with which the rule is left out of the game, at any number of players.
        at_most: another constant of the same group, which it cannot exceed.
        **bounds: pydantic's ge, le, min_length, max_length.
    """
    extra: Any = {"unit": unit, "source": source.kind, "note": source.note, "plausible": list(plausible), "left_out": left_out}
    extra["at_most"] = at_most
    return Field(default, description=description, json_schema_extra=extra, **bounds)


def turn_cap(default: int, why: str) -> Any:
    """Declare the constant that every game has: after so many turns a playout is ended, since it may not end by itself."""
    text = "Turns after which a playout counts as unfinished."
    return constant(default, ge=1, le=MAX_TURNS, unit="turns", description=text, source=ours(why))


class RuleGroup(BaseModel):
    """Base of a game's rules and of the groups in them: immutable, strict, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    @model_validator(mode="after")
    def _within_one_another(self) -> Self:
        for name, field in type(self).model_fields.items():
            other = field.json_schema_extra.get("at_most") if isinstance(field.json_schema_extra, dict) else None
            if other and getattr(self, name) > getattr(self, str(other)):
                raise ImpossibleError(name, f"cannot be {getattr(self, name)}, more than '{other}', which is {getattr(self, str(other))}")
        return self

    def notes(self) -> list[str]:
        """What a designer should know about these values, though they are allowed; one sentence each."""
        return []


class GameRules(RuleGroup):
    """Base of a game's rules as a whole."""

    turn_cap: int = turn_cap(1000, "a game may stall")

    def acting(self, players: int) -> Self:  # noqa: ARG002  games whose rules hang on the number of players override it
        """The same rules with every constant that cannot act at so many players set to one and the same value."""
        return self


class ImpossibleError(ValueError):
    """To be raised in a validator: the value at `key` cannot be played, for `reason`."""

    def __init__(self, key: str, reason: str) -> None:
        """Name the constant by its dotted key and say in a clause why and what would do."""
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason


@dataclass(frozen=True)
class Constant:
    """One rule constant as a designer sees it."""

    key: str
    value: Value
    default: Value
    unit: str
    source: SourceKind
    note: str
    plausible: tuple[Value, ...]
    description: str
    left_out: Value | None = None

    @property
    def changed(self) -> bool:
        """Whether the value differs from the shipped one."""
        return self.value != self.default


def constants(rules: RuleGroup) -> list[Constant]:
    """All constants of `rules` in the order of declaration."""
    return list(_walk(rules, type(rules)(), ""))


def _walk(rules: BaseModel, shipped: BaseModel, prefix: str) -> Iterator[Constant]:
    fields = type(rules).model_fields
    # what every game has stands behind what is its own
    for name in sorted(fields, key=GameRules.model_fields.__contains__):
        field = fields[name]
        key, value, default = f"{prefix}{name}", getattr(rules, name), getattr(shipped, name)
        if isinstance(value, BaseModel):
            yield from _walk(value, default, f"{key}.")
        else:
            extra: Any = field.json_schema_extra
            plausible, meaning = tuple(extra["plausible"]), field.description or ""
            value = next((p for p in plausible if isinstance(p, Named) and p == value), value)
            yield Constant(key, value, default, extra["unit"], extra["source"], extra["note"], plausible, meaning, extra["left_out"])


def values(rules: RuleGroup) -> dict[str, Value]:
    """Dotted key to value, for all constants."""
    return {c.key: c.value for c in constants(rules)}


def field_of(model: Any, key: str) -> FieldInfo:
    """The declared field of a constant, by its dotted key."""
    *groups, name = key.split(".")
    for group in groups:
        model = model.model_fields[group].annotation
    field: FieldInfo = model.model_fields[name]
    return field
