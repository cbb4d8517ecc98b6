"""Playing a scenario: how each question is answered, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from datasheets.errors import BadData, unknown
from datasheets.scenario import Answer, words
from engine.core import event as ev
from engine.core.dice import BadScript
from engine.core.facts import HORDE
from engine.core.game import IllegalAnswer
from engine.core.play import Agent
from engine.core.request import AnyAnswer, AnyRequest, Choose, Chosen, Move, Place, Split
from engine.core.state import Unit
from engine.scenario.decision import IDLE, Decision, Minutes
from engine.scenario.fault import Refusal, never_asked, never_offered, refusal
from engine.scenario.naming import parts_of
from engine.scenario.script import AnsweredByItself, Script, declined
from engine.scenario.situation import END
from engine.scenario.stage import Stage
from engine.w40k.activation.turn_taking import PASS
from engine.w40k.battle import Battle
from engine.w40k.view import View
from geometry.measure.distance import within


@dataclass(frozen=True, slots=True)
class Cast:
    """The agents that play: the Horde's, and the autopilot of the players.

    The autopilot answers for a player that the file does not have decline, for one that cannot decline, and
    where a script does not say how.
    """

    horde: Callable[[], Agent[View]]
    autopilot: Callable[[], Agent[View]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a scenario: its game as it ended, decisions, refusals, faults of the file."""

    stage: Stage
    decisions: tuple[Decision, ...]
    refusals: tuple[Refusal, ...]
    faults: tuple[str, ...]

    @property
    def events(self) -> tuple[ev.Event, ...]:
        """Return what happened, but for the close of the situation after its last step."""
        return tuple(takewhile(lambda e: getattr(e, "step", "") != END.name, self.stage.game.events))

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what the run named as not simulated."""
        said = [e for e in self.stage.game.events if isinstance(e, ev.Unmodelled)]
        return tuple(dict.fromkeys(f"{e.unit}: {e.rule}: {e.reason}" for e in said))


class Run:
    """One run of a stage."""

    def __init__(self, stage: Stage, cast: Cast) -> None:
        """Take the stage, and make the agents."""
        self.stage = stage
        self.game: Battle = stage.game
        self.agents: dict[str, Agent[View]] = {HORDE: cast.horde()}
        self.views: dict[str, View] = {HORDE: View(self.game, HORDE)}
        for seat in self.game.state.players:
            self.agents[seat] = cast.autopilot()
            self.views[seat] = View(self.game, seat)
        self.script = Script(list(stage.scenario.answer), stage.frame, stage.path, parts_of(stage.scenario))
        self.minutes = Minutes()
        self.act = list(words(stage.scenario.act))
        self.called: dict[str, tuple[int, str, str]] = {}
        """The units on which scripted answers used a Stratagem, and the phase in which they did."""

    def outcome(self) -> Outcome:
        """Play to the end, or to the first scripted answer that is refused."""
        refusals: list[Refusal] = []
        faults: list[str] = []
        try:
            while self.game.pending is not None and not refusals:
                refused = self._answer(self.game.pending)
                refusals += [refused] if refused else []
        except BadScript as fault:
            faults.append(str(fault))
        if not refusals and not faults:
            refusals += [self._never(answer) for answer in self.script.left]
            self._idle()
            faults += self._leftovers()
        return Outcome(self.stage, tuple(self.minutes.decisions), tuple(refusals), tuple(faults))

    def _never(self, said: Answer) -> Refusal:
        """Return the refusal of a scripted answer that nothing asked for."""
        if said.buy:
            seat = said.player or next(iter(self.game.state.players))
            return never_offered(self.game, said.buy, seat)
        return never_asked(said.unit or said.rule, said.decision)

    def _leftovers(self) -> list[str]:
        left = {kind: len(dice) for kind, dice in self.game.dice.scripted.items() if dice}
        rolled = {event.roll for event in self.game.events if isinstance(event, ev.Rolled)}
        known = (*self.game.ruleset.language.rolls, *rolled)
        return [
            f"{count} of the dice scripted for '{kind}' were never rolled{_meant(kind, known)}."
            for kind, count in left.items()
        ]

    def _answer(self, request: AnyRequest) -> Refusal | None:
        asked = HORDE not in request.seats and not self.script.lets_others(self.game, request)
        said = self.script.wanted(self.game, request) if asked else None
        if said is not None:
            unit = self.game.state.position.units.get(said.unit)
            seat = said.player or (unit.player if unit else request.seats[0])
            try:
                answer = self.script.answer(self.game, request, said)
            except AnsweredByItself:
                answer = self.agents[seat].answer(self.views[seat], request)
            if request.decision == "stratagem" and isinstance(answer, Chosen):
                self.called |= dict.fromkeys(answer.ids, self._phase)
        else:
            seat = request.seats[0]
            answer = self._unscripted(request, seat)
        before = len(self.minutes.decisions)
        self.minutes.note(self.game, request, answer, seat)
        try:
            self.game.submit(answer, seat)
        except IllegalAnswer as illegal:
            if said is None:
                key = f"{request.decision} of {request.unit or seat}"
                raise BadData(self.stage.path, key, f"the agent of {seat} erred. {illegal}") from None
            del self.minutes.decisions[before:]
            who = said.unit or said.buy or said.rule
            return refusal(self.game, who, request, answer, illegal.faults)
        return None

    def _unscripted(self, request: AnyRequest, seat: str) -> AnyAnswer:
        if self.script.lets_others(self.game, request):
            return Chosen(ids=(PASS,))
        ordered = self._in_order(request)
        if ordered is not None:
            return ordered
        if seat != HORDE and self.stage.scenario.players == "decline" and not self._was_called(request):
            answer = declined(request)
            if answer is not None:
                return answer
        return self.agents[seat].answer(self.views[seat], request)

    @property
    def _phase(self) -> tuple[int, str, str]:
        state = self.game.state
        return state.round, state.turn, state.phase

    def _was_called(self, request: AnyRequest) -> bool:
        """Return whether a unit is asked how it does what a scripted Stratagem has it do."""
        how = isinstance(request, Move | Place | Split)
        return how and self.called.get(request.unit) == self._phase

    def _in_order(self, request: AnyRequest) -> Chosen | None:
        """Return the next of the units that are to act, where the file orders them."""
        if not (isinstance(request, Choose) and request.decision == "next-unit" and len(self.act) > 1):
            return None
        offered = {option.id for option in request.options}
        return next((Chosen(ids=(unit,)) for unit in self.act if unit in offered), None)

    def _idle(self) -> None:
        """Note the units that were never asked in a phase of their side."""
        fallen = {e.unit: e.n for e in self.game.events if isinstance(e, ev.UnitDestroyed)}
        phases = self._phases()
        for began, ended in phases:
            for unit in self.game.state.position.units.values():
                if unit.where not in ("table", "destroyed") or (self.act and unit.id not in self.act):
                    continue
                if unit.side != ended.turn or fallen.get(unit.id, ended.n) < ended.n:
                    continue
                if not self.minutes.was_asked(ended.name, unit.id, began, ended.n):
                    # Only of the last phase is the table still as it was.
                    why = self._unasked(unit, ended.name) if ended is phases[-1][1] else None
                    self.minutes.idle(ended.name, unit.id, unit.player, ended.n, why)

    def _unasked(self, unit: Unit, phase: str) -> AnyAnswer | None:
        """Return why a unit of the Horde has nothing to choose from: its answer to an empty choice."""
        if unit.side != HORDE or not unit.rows:
            return None
        if phase == "shooting":
            return self._asked(Split(**_empty("shoot", unit), melee=False, lines=()))
        if phase == "charge" and self._is_far(unit):
            return self._asked(Choose(**_empty("charge", unit), options=(), minimum=0, maximum=0))
        return None

    def _asked(self, request: AnyRequest) -> AnyAnswer:
        return self.agents[HORDE].answer(self.views[HORDE], request)

    def _is_far(self, unit: Unit) -> bool:
        """Return whether every enemy that it might charge is out of range."""
        view = self.views[HORDE]
        foes = (foe for foe in view.enemies(unit) if not foe.has("AIRCRAFT"))
        return not any(within(view.gap(unit, foe), view.parameters.charge_range) for foe in foes)

    def _phases(self) -> list[tuple[int, ev.PhaseEnded]]:
        """Return the phases in which units may be idle: where each begins in the log, and its end.

        What is left of a phase that is begun anew in its turn belongs to it.
        """
        found: dict[tuple[int, str, str], tuple[int, ev.PhaseEnded]] = {}
        began = 0
        for event in self.game.events:
            if isinstance(event, ev.PhaseBegan):
                began = event.n
            elif isinstance(event, ev.PhaseEnded) and event.name in IDLE:
                key = (event.round, event.turn, event.name)
                found[key] = (found[key][0] if key in found else began, event)
        return list(found.values())


def _meant(kind: str, known: Sequence[str]) -> str:
    """Return which kind of roll may be meant by one that is none but is near to one."""
    near = unknown(kind, known, "kind of roll").near
    return f": '{near[0]}' may be meant" if kind not in known and near else ""


def _empty(decision: str, unit: Unit) -> dict[str, Any]:
    """Return what a request says that offers nothing."""
    return {"seats": (HORDE,), "rule": "", "decision": decision, "prompt": "", "unit": unit.id}


def play(stage: Stage, cast: Cast) -> Outcome:
    """Return what comes of a stage. Raises BadData where the file cannot be played."""
    return Run(stage, cast).outcome()
