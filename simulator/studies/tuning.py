"""What tuning rules found: proposals, each measured on fresh playouts, the values around them, and what was looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simulator.document.language import listed, plural
from simulator.rules import build_rules, to_text
from simulator.stats.unfinished import unfinished_of
from simulator.stats.verdicts import AS_JSON, Verdict, all_together

if TYPE_CHECKING:
    from simulator.play.run import Result
    from simulator.rules import GameRules, Value
    from simulator.studies.axes import Setting
    from simulator.studies.targets import Judged
    from simulator.studies.tune import TunePlan


@dataclass(frozen=True)
class Measured:
    """Rules, and what playouts said about them that had no part in choosing them.

    Attributes:
        setting: what is changed.
        results: one for each number of players.
        judged: every target with every number of players.
    """

    setting: Setting
    results: tuple[Result, ...]
    judged: tuple[Judged, ...]

    @cached_property
    def meets(self) -> Verdict:
        """Whether it meets all targets."""
        return all_together(j.meets for j in self.judged)

    @property
    def hidden(self) -> bool:
        """Whether no game finished with some number of players, so that more of them would not tell whether it does."""
        return any(j.hidden for j in self.judged)

    @property
    def worst(self) -> str:
        """The largest miss that is known, in words."""
        judged = max((j for j in self.judged if not j.hidden), key=lambda j: j.target.band.miss(j.estimate.best))
        band, best = judged.target.band, judged.estimate.best
        off = max(band.low - best, best - band.high, 0.0)
        share = judged.target.unit == "share"
        return f"{100 * off if share else off:.3g} {'points' if share else judged.target.unit} with {plural(judged.players, 'player')}"

    def estimates(self) -> list[dict[str, Any]]:
        """For JSON, as in a run."""
        return [
            {
                "players": r.experiment.players,
                "games": r.games,
                "digest": r.digest,
                "estimates": {name: e.as_dict() for name, e in r.estimates.items()},
            }
            for r in self.results
        ]


@dataclass(frozen=True)
class Region:
    """What becomes of a proposal when one of its constants goes elsewhere, the others staying as proposed.

    Attributes:
        key: the constant.
        proposed: its value in the proposal.
        tested: values in the order of the axis, each measured; the proposed one among them.
    """

    key: str
    proposed: Value
    tested: tuple[tuple[Value, Measured], ...]

    @property
    def working(self) -> tuple[Value, ...]:
        """Values that are shown to meet all targets."""
        return tuple(value for value, measured in self.tested if measured.meets == "yes")

    @property
    def text(self) -> str:
        """Which values work, in words."""
        parts = []
        for meets, one, several in (("yes", "works", "work"), ("open", "is open", "are open"), ("no", "does not", "do not")):
            values = [to_text(value) for value, measured in self.tested if measured.meets == meets]
            parts += [f"{listed(values)} {several if len(values) > 1 else one}"] * bool(values)
        return f"{self.key}: {', '.join(parts)}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        tested = [{"value": value, "meets": AS_JSON[m.meets], "estimates": m.estimates()} for value, m in self.tested]
        return {"key": self.key, "working": list(self.working), "tested": tested}


@dataclass(frozen=True)
class Proposal:
    """Rules that meet the targets, or come near.

    Attributes:
        measured: the rules and their figures.
        size: how many constants are changed, and by how much.
        regions: for each of them, what other values would do; empty where the proposal is not shown to meet the targets.
        others: rules that change the same constants otherwise, and looked good too.
    """

    measured: Measured
    size: tuple[int, float]
    regions: tuple[Region, ...] = ()
    others: tuple[Measured, ...] = ()

    @property
    def setting(self) -> Setting:
        """What is changed."""
        return self.measured.setting

    @property
    def meets(self) -> Verdict:
        """Whether it is shown to meet all targets."""
        return self.measured.meets

    @cached_property
    def working(self) -> tuple[Setting, ...]:
        """All rules of this kind that are shown to meet the targets, the proposal first."""
        around = (m for region in self.regions for _, m in region.tested)
        return tuple(dict.fromkeys(m.setting for m in (self.measured, *around, *self.others) if m.meets == "yes"))


@dataclass(frozen=True)
class Level:
    """All rules that change a number of constants.

    Attributes:
        changes: how many.
        there_are: how many such rules there are.
        played: how many of them were played.
        impossible: how many of those cannot be played.
        why: the reason for the first of these.
    """

    changes: int
    there_are: int
    played: int
    impossible: int
    why: str = ""

    @property
    def text(self) -> str:
        """What was looked at, in words."""
        what = f"{plural(self.changes, 'constant')} changed"
        if self.played == self.there_are:
            played = f"all {self.there_are:,} such rules were tried" if self.there_are > 1 else "the only such rules were tried"
        else:
            played = f"of {self.there_are:,} such rules the {self.played:,} were tried that promise most, going by each change alone"
        fault = f"; {self.impossible:,} cannot be played (such as: {self.why.rstrip('.')})" if self.impossible else ""
        return f"{what}: {played}{fault}."


@dataclass(frozen=True)
class Tuning:
    """The whole answer.

    Attributes:
        plan: what was wanted.
        baseline: the rules as they are.
        proposals: those that meet the targets first, and of these the smallest changes; if none does, the closest first, by
            the search's figures.
        levels: what was looked at.
        to_the_end: how many rules went through all rounds of the search.
        open: how many more rules may meet the targets, by what was played of them.
        playouts: all that it took.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before the end.
        digest: hash of all that was counted, the search included.
        closest: the change that comes closest by the search's own figures; None if none was played with every number of players.
    """

    plan: TunePlan
    baseline: Measured
    proposals: tuple[Proposal, ...]
    levels: tuple[Level, ...]
    to_the_end: int
    open: int
    playouts: int
    elapsed_s: float
    interrupted: bool = False
    digest: str = ""
    closest: Setting | None = None

    @property
    def met(self) -> bool:
        """Whether a proposal is shown to meet all targets."""
        return any(p.meets == "yes" for p in self.proposals)

    @property
    def undecided(self) -> bool:
        """Whether none is, but one may, with more playouts."""
        return not self.met and (self.open > 0 or any(p.meets == "open" for p in self.proposals))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What has to be said of games that did not finish, with each number of players: of rules with few of them and with none apart."""
        changed = {str(number): p.measured for number, p in enumerate(self.proposals, 1) if p.setting}
        rules = {"the rules as they are": self.baseline, **changed}
        remarks = []
        for place, players in enumerate(self.plan.players):
            ended = {name: unfinished_of(measured.results[place].tally) for name, measured in rules.items()}
            for none_finished in (True, False):
                about = {name: one for name, one in ended.items() if one.all == none_finished and one.remark()}
                if not about:
                    continue
                text = max(about.values(), key=lambda one: one.share).remark(f"with {plural(players, 'player')}")
                if len({one.count for one in about.values()}) > 1:
                    text = text.replace(" ended ", " ended up to ")
                remarks.append(text if len(about) == len(rules) else f"Of {listed([*about])}: {text}")
        return tuple(remarks)

    @property
    def exhaustive(self) -> bool:
        """Whether every allowed rule was played, and none was left that may meet the targets after all."""
        return not self.interrupted and not self.open and all(level.played == level.there_are for level in self.levels)

    @property
    def finding(self) -> str:
        """The answer in a sentence."""
        seats = f"with {self.plan.seated}"
        if self.met:
            return self._met(seats)
        if not self.proposals:
            closest = "" if self.closest is None else f" By the search's own figures {self.plan.text(self.closest)} came closest so far."
            return f"Nothing was found {seats} before it was interrupted.{closest}"
        best = self.proposals[0]
        if best.meets == "open":
            if best.measured.hidden:
                return f"Whether anything meets the target {seats} is open."
            return f"Nothing is shown to meet the target {seats}, but this may, with more --games: {self.plan.text(best.setting)}."
        if self.open:
            some = "1 of the rules" if self.open == 1 else f"{self.open:,} of the rules"
            return f"Nothing is shown to meet the target {seats}, but {some} that were tried may, with more --games."
        tried = "No rules that were allowed meet" if self.exhaustive else "No rules that were tried meet"
        among = "when it was interrupted" if self.interrupted else f"of the {self.to_the_end:,} that were measured to the end"
        return f"{tried} the target {seats}. The closest {among}, {self.plan.text(best.setting)}, miss it by {best.measured.worst}."

    def _met(self, seats: str) -> str:
        """The proposal that meets the target."""
        best = self.proposals[0]
        if not best.setting:
            return f"The rules as they are meet the target {seats}."
        others = sum(p.meets == "yes" for p in self.proposals) - 1
        more = f" {'Another change does' if others == 1 else f'{others} other changes do'} too." if others else ""
        return f"{self.plan.text(best.setting)} meets the target {seats}.{more}"

    def changes(self, setting: Setting) -> list[dict[str, Any]]:
        """For JSON: from where to where, and how far."""
        axes = {axis.key: axis for axis in self.plan.axes}
        return [{"key": key, "from": axes[key].start, "to": to, "size": axes[key].size(to)} for key, to in setting]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        proposals = [
            {
                "players": list(self.plan.players),
                "set": dict(p.setting),
                "changes": self.changes(p.setting),
                "estimates": p.measured.estimates(),
                "targets": [j.as_dict() for j in p.measured.judged],
                "meets": AS_JSON[p.meets],
                "unfinished": {str(r.experiment.players): r.unfinished / r.games for r in p.measured.results},
                "region": [region.as_dict() for region in p.regions],
                "working": [dict(setting) for setting in p.working],
            }
            for p in self.proposals
        ]
        return {
            "proposals": proposals,
            "met": self.met,
            "baseline": self.baseline.estimates(),
            "exhaustive": self.exhaustive,
            "digest": self.digest,
        }

    def rules_of(self, proposal: Proposal) -> GameRules:
        """The rules of a proposal."""
        return build_rules(self.plan.setup.game.rules, {**self.plan.setup.rules, **dict(proposal.setting)})
