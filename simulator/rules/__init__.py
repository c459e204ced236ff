"""Rules: all constants of a game, validated, immutable, each with its source.

A game's rules are a pydantic model built from `RuleGroup`; its fields are declared with `constant`, which asks for a
description, a unit and a source (`constants`). They are changed by dotted key (`overrides`), written as people write them
(`text`), and kept in files (`toml`, and `mending` for what is no TOML as it stands). `alternatives` says where a constant may go,
`packing` what compiled code gets.
"""

from simulator.rules.constants import (
    MAX_TURNS,
    Constant,
    GameRules,
    ImpossibleError,
    Named,
    RuleGroup,
    Rules,
    Source,
    SourceKind,
    Value,
    assumed,
    constant,
    constants,
    derived,
    ours,
    rulebook,
    turn_cap,
    values,
)
from simulator.rules.overrides import MAX_ENTRIES, Assignment, build_rules, parse_assignment, parse_assignments
from simulator.rules.text import MAX_TEXT, brief_text, parse_value, plausible_text, to_text
from simulator.rules.toml import flattened, line_of, read_toml, write_toml

__all__ = [
    "MAX_ENTRIES",
    "MAX_TEXT",
    "MAX_TURNS",
    "Assignment",
    "Constant",
    "GameRules",
    "ImpossibleError",
    "Named",
    "RuleGroup",
    "Rules",
    "Source",
    "SourceKind",
    "Value",
    "assumed",
    "brief_text",
    "build_rules",
    "constant",
    "constants",
    "derived",
    "flattened",
    "line_of",
    "ours",
    "parse_assignment",
    "parse_assignments",
    "parse_value",
    "plausible_text",
    "read_toml",
    "rulebook",
    "to_text",
    "turn_cap",
    "values",
    "write_toml",
]
