"""A scenario set up: the game at its first question, with all that the file says in place.

Owns the ruleset's steps that are played, the cards and markers in play, the decks and the script of dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from dataclasses import replace as evolve
from typing import Any

from msgspec.structs import replace

from datasheets.collection import check_collection
from datasheets.errors import BadData, unknown
from datasheets.library import Library
from datasheets.scenario import Answer, Scenario, Unit, words
from datasheets.spelling import kebab, run_together
from engine.core import event as ev
from engine.core.facts import HORDE, PlayerFacts
from engine.core.ruleset import Step
from engine.horde.all_settings import SETTINGS
from engine.horde.setup import shuffled_decks
from engine.records.rulebook import Rulebook, compiled_rules
from engine.scenario.ability import ability_rules
from engine.scenario.board import board, check_places, size_of
from engine.scenario.foothold import over_the_edge, pushed_apart, pushed_clear
from engine.scenario.frame import Frame, Transform
from engine.scenario.given_spawn import spawn_as_given
from engine.scenario.naming import by_their_units
from engine.scenario.simulated import check
from engine.scenario.situation import END
from engine.scenario.unit import Entry, Mustering, opening
from engine.systems import RULESETS
from engine.w40k.activation.objective import update
from engine.w40k.battle import Battle
from engine.w40k.edition import Edition
from engine.w40k.muster import with_bare_hands

SPAWN = "start-of-round.spawn"
DEPLOYED = "deployed"
ROUND_STEPS = {
    DEPLOYED: ("setup.deploy",),
    "start-of-round": ("start-of-round.misery", "start-of-round.mission", "start-of-round.rewards"),
    "spawn": (SPAWN,),
    "scouts": ("start-of-round.scouts",),
    "resupply": ("players.command.resupply",),
}
"""Steps with a name that is no phase's."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A scenario in play: its game, the frame in which it lies, and where its file is."""

    scenario: Scenario
    game: Battle
    frame: Frame
    path: str


class Builder:
    """Makes games of one scenario: of any seed and in any frame."""

    def __init__(self, scenario: Scenario, library: Library, path: str) -> None:
        """Check that all of it is simulated. Raises BadData."""
        check(scenario, path)
        self.scenario = scenario
        self.library = library
        self.path = path
        self.ruleset: Edition[Battle] = RULESETS[scenario.ruleset]
        language = self.ruleset.language
        rules = (*compiled_rules(library, language), *ability_rules(language))
        self.rulebook = Rulebook(rules, scenario.factions)
        self.size = size_of(scenario, library, path)
        self._standing: dict[Transform, list[Entry]] = {}
        check_places(scenario, self.size, path)
        for i, answer in enumerate(scenario.answer):
            if answer.buy:
                self._rule(f"answer.{i}.buy", answer.buy)
        self.scenario = by_their_units(self._spelt_out(scenario))

    def stage(self, transform: Transform = "none", seed: int | None = None) -> Stage:
        """Return the scenario set up, at its first question. Raises BadData."""
        scenario, frame = self.scenario, Frame(self.size, transform)
        setup = self._setup(frame)
        chance = scenario.seed if seed is None else seed
        entries = self._beside(setup, frame)
        # What comes before the first round is in none yet: the round begins after it.
        early = words(scenario.step)[:1] == (DEPLOYED,)
        first = [*self._opening(entries, frame), ev.RoundBegan(number=scenario.round - early)]
        first += self._controlled(setup, first, chance)
        game = Battle(
            replace(self.ruleset, steps=(*self._steps(frame, entries), END)),
            self.library,
            chance,
            setup,
            rulebook=self.rulebook,
            opening=tuple(first),
            script={kind: list(dice) for kind, dice in scenario.dice.items()},
            strict_script=True,
            rulings=SETTINGS.readings(scenario.rulings),
        )
        return Stage(scenario, game, frame, self.path)

    # what is in force

    def _setup(self, frame: Frame) -> ev.Setup:
        cards = [self._rule(f"active.{i}", name) for i, name in enumerate(self.scenario.active)]
        seats = self.seats()
        decks = self._decks()
        return ev.Setup(
            ruleset=self.ruleset.id,
            board=board(self.scenario, self.library, frame, self.path),
            players=tuple(
                PlayerFacts(
                    id=seat,
                    name=seat,
                    **self._army(seat),
                    cp=self.scenario.cp.get(seat, self.ruleset.parameters.starting_cp),
                    sp=self.scenario.sp.get(seat, 0),
                )
                for seat in seats
            ),
            decks=decks,
            factions=self._factions(),
            shares=self._shares(),
            collection=self._collection(),
            rules=(*self.rulebook.standing, *(c for c in cards if not self._deck_of(c, decks))),
        )

    def _army(self, seat: str) -> dict[str, Any]:
        """Return what a player's army brings by its detachment."""
        detachment = self.scenario.detachments.get(seat, "")
        if not detachment:
            return {}
        faction = self.rulebook.faction_of(detachment)
        if not faction:
            known = [rule.detachment for rule in self.rulebook.rules if rule.detachment]
            mend = str(unknown(detachment, dict.fromkeys(known), "detachment"))
            raise BadData(self.path, f"detachments.{seat}", mend)
        rules = self.rulebook.of_army(faction, detachment)
        return {"faction": faction, "detachment": detachment, "rules": rules}

    def _factions(self) -> tuple[str, ...]:
        """Return the Horde's factions: those named, else those of its datasheets.

        Of the latter only those with a spawning table count. Raises BadData where a named faction has none.
        """
        for i, name in enumerate(self.scenario.factions):
            if not self.library.has_spawn_table(name):
                mend = str(unknown(name, self.library.hordes(), "faction with a spawning table"))
                raise BadData(self.path, f"factions.{i}", mend)
        sheets = [u.datasheet.partition("/")[0] for u in self.scenario.unit if u.side == HORDE]
        found = tuple(dict.fromkeys(name for name in sheets if self.library.has_spawn_table(name)))
        return self.scenario.factions or found

    def _shares(self) -> dict[str, int]:
        """Return the shares of the Horde's factions. Rule: ARMY.6"""
        for name in self.scenario.shares:
            if name not in self._factions():
                mend = str(unknown(name, self._factions(), "faction of the Horde"))
                raise BadData(self.path, f"shares.{name}", mend)
        return self.scenario.shares

    def _collection(self) -> dict[str, int] | None:
        """Return the models that the Horde has; None for as many as it wants. Rule: SP.R6"""
        owned = self.scenario.collection
        return None if owned is None else check_collection(dict(owned), self.library, self.path)

    def seats(self) -> tuple[str, ...]:
        """Return the players of the scenario, in order of their names."""
        named = {unit.side for unit in self.scenario.unit} | {a.player for a in self.scenario.answer}
        named |= {marker.owner for marker in self.scenario.marker}
        named |= {*self.scenario.cp, *self.scenario.sp, *self.scenario.detachments}
        named |= {*self.scenario.secrets, *self.scenario.revealed, *self.scenario.saved}
        return tuple(sorted(named - {HORDE, ""})) or ("p1",)

    def _rule(self, key: str, name: str) -> str:
        name = self._spelt(name)
        if name not in self.rulebook:
            known = [*self.rulebook.clauses]
            raise BadData(self.path, key, str(unknown(name, known, "simulated rule")))
        rule = self.rulebook.rule(name)
        if rule.reason:
            raise BadData(self.path, key, f"{name} is not simulated yet ({rule.reason})")
        return rule.id

    def _spelt_out(self, scenario: Scenario) -> Scenario:
        """Return the scenario with the rules that its answers speak of by their clauses."""
        answers = (
            answer.model_copy(update={"rule": self._spelt(answer.rule), "buy": self._spelt(answer.buy)})
            for answer in scenario.answer
        )
        return scenario.model_copy(update={"answer": tuple(map(self._as_action, answers))})

    def _as_action(self, answer: Answer) -> Answer:
        """Return an answer of a unit that names a rule with an action as one that starts the action."""
        actions = [offer.rule.clause for offer in self.rulebook.offers("shooting")]
        if answer.unit and not answer.decision and answer.rule in actions:
            return answer.model_copy(update={"decision": "action"})
        return answer

    def _spelt(self, name: str) -> str:
        """Return the clause that a rule's clause, id or name means, however its words are joined."""
        if not name or name in self.rulebook:
            return name
        plain = run_together(name)
        for clause in self.rulebook.clauses:
            rule = self.rulebook.rule(clause)
            if plain in map(run_together, (clause, rule.id, rule.name)):
                return clause
        return name

    def _decks(self) -> dict[str, tuple[str, ...]]:
        decks = shuffled_decks(self.rulebook, self.scenario.seed)
        for name, cards in self.scenario.deck.items():
            if name not in decks:
                raise BadData(self.path, f"deck.{name}", str(unknown(name, decks, "deck")))
            first = [self._card(name, f"deck.{name}.{i}", card) for i, card in enumerate(cards)]
            decks[name] = (*first, *(card for card in decks[name] if card not in first))
        return decks

    def _card(self, deck: str, key: str, name: str) -> str:
        if name not in self.rulebook or self.rulebook.rule(name).id not in self.rulebook.decks[deck]:
            known = [self.rulebook.rule(card).clause for card in self.rulebook.decks[deck]]
            raise BadData(self.path, key, str(unknown(name, known, f"card of the {deck} deck")))
        return self.rulebook.rule(name).id

    @staticmethod
    def _deck_of(rule: str, decks: dict[str, tuple[str, ...]]) -> str:
        return next((deck for deck, cards in decks.items() if rule in cards), "")

    # what stands where

    def _entries(self, frame: Frame) -> list[Entry]:
        mustering = Mustering(self.library, self.rulebook, frame, self.path)
        entries: list[Entry] = []
        act, rows = words(self.scenario.act), 0
        hands = SETTINGS.readings(self.scenario.rulings).get("fight.bare_hands", "")
        # Transports enter before the units that ride in them.
        for i, unit in sorted(enumerate(self.scenario.unit), key=lambda each: bool(each[1].embarked_in)):
            if unit.attached_to:
                continue
            leaders = {f"unit.{k}": u for k, u in enumerate(self.scenario.unit) if u.attached_to == unit.id}
            entry = mustering.entry({f"unit.{i}": unit, **leaders}, rows)
            entry = evolve(entry, facts=with_bare_hands(entry.facts, hands))
            entry = evolve(entry, idle=bool(act) and unit.id not in act)
            if not self._comes_later(unit):
                rows += len(entry.facts.models)
            entries.append(entry)
        return entries

    def _beside(self, setup: ev.Setup, frame: Frame) -> list[Entry]:
        """Return the units in a frame, none slightly over an edge, terrain or a friend."""
        if frame.transform not in self._standing:
            entries = self._entries(frame)
            field = self._still(setup, self._opening(entries, frame), self.scenario.seed).field
            found = [entry.standing(pushed_clear(field, entry.unit.id)) for entry in entries]
            pushed = pushed_apart(field, {entry.unit.id: entry.poses for entry in found})
            found = [entry.standing(pushed[entry.unit.id]) for entry in found]
            self._check_on_board(found, frame)
            self._standing[frame.transform] = found
        return self._standing[frame.transform]

    def _check_on_board(self, entries: list[Entry], frame: Frame) -> None:
        """Raise BadData for the first base over the edge.

        A file of facts and a moved board are not checked.
        """
        if frame.transform != "none" or words(self.scenario.step) == ("none",):
            return
        for entry in entries:
            over = over_the_edge(entry.facts, entry.poses, frame.board)
            if over is not None:
                x, y, *_ = entry.poses[entry.facts.models[over].row]
                key = f"unit.{self.scenario.unit.index(entry.unit)}.at"
                raise BadData(
                    self.path, key, f"the base of model {over} at [{x:g}, {y:g}] is over the board's edge"
                )

    def _comes_later(self, unit: Unit) -> bool:
        """Return whether a unit spawns, or rides in one that does."""
        return any(each.unit in (unit.id, unit.embarked_in) for each in self.scenario.spawn)

    def _opening(self, entries: list[Entry], frame: Frame) -> Iterator[ev.Event]:
        standing = [entry for entry in entries if not self._comes_later(entry.unit)]
        for entry in standing:
            yield from opening(entry)
        for i in range(len(self.scenario.marker)):
            yield from self._marker(i, frame)
        decks = self._decks()
        for i, name in enumerate(self.scenario.active):
            card = self._rule(f"active.{i}", name)
            deck = self._deck_of(card, decks)
            if deck:
                seat = self.seats()[0] if deck == "secret" else ""
                yield ev.CardRevealed(deck=deck, card=card, player=seat)
        yield from self._hands()

    def _hands(self) -> Iterator[ev.Event]:
        """Yield the deals of the cards that players hold: secret objectives, and saved missions."""
        for key in ("secrets", "revealed"):
            for seat, card in self._held(key, "secret"):
                yield ev.CardRevealed(deck="secret", card=card, player=seat)
                if key == "revealed":
                    yield ev.SecretRevealed(player=seat, card=card, completed=False)
        for seat, card in self._held("saved", "secondary"):
            yield ev.CardRevealed(deck="secondary", card=card)
            yield ev.CardDiscarded(deck="secondary", card=card, to=seat)

    def _held(self, key: str, deck: str) -> Iterator[tuple[str, str]]:
        for seat, names in getattr(self.scenario, key).items():
            for i, name in enumerate(names):
                yield seat, self._card(deck, f"{key}.{seat}.{i}", self._spelt(name))

    def _marker(self, i: int, frame: Frame) -> Iterator[ev.Event]:
        marker = self.scenario.marker[i]
        kind = kebab(marker.kind)
        if self._spelt(f"buy/{kind}") not in self.rulebook:
            bought = [name.removeprefix("BUY.") for name in self.rulebook.clauses if name.startswith("BUY.")]
            raise BadData(self.path, f"marker.{i}.kind", str(unknown(kind, bought, "marker")))
        rule = self.rulebook.rule(self._rule(f"marker.{i}.kind", f"buy/{kind}"))
        if "Fortify" not in rule.tags:
            at = frame.point(marker.at)
            name = f"{kind}-{i}"
            yield ev.Placed(thing=kind, marker=name, owner=marker.owner, at=at)
            return
        here = [o.id for o in self.scenario.objective if o.at == marker.at]
        if not here:
            mend = f"a {kind} fortifies an objective marker; give it the place of one"
            raise BadData(self.path, f"marker.{i}.at", mend)
        on = f"objective:{here[0]}"
        yield ev.Marked(on=on, key="fortified-by", value=marker.owner)
        yield ev.Marked(on=on, key="fortified", value=rule.id)

    def _still(self, setup: ev.Setup, first: Iterable[ev.Event], seed: int) -> Battle:
        """Return a game in which these events have happened, and nothing more is played."""
        bare = replace(self.ruleset, steps=(END,))
        opening = tuple(map(fresh, first))
        return Battle(bare, self.library, seed, setup, rulebook=self.rulebook, opening=opening)

    def _controlled(self, setup: ev.Setup, first: list[ev.Event], seed: int) -> list[ev.Event]:
        """Return the control of the objective markers as the scenario begins. Rule: CORE.OBJ.2."""
        if not self.scenario.objective:
            return []
        still = self._still(setup, first, seed)
        before = len(still.events)
        for _ in update(still):
            raise BadData(self.path, "objective", "who controls it cannot be told without a question")
        return [fresh(event) for event in still.events[before:] if isinstance(event, ev.Controlled)]

    # what is played

    def _steps(self, frame: Frame, entries: list[Entry]) -> Iterator[Step[Battle]]:
        named = {entry.unit.id: entry for entry in entries}
        given: dict[str, list[Entry]] = {}
        for spawn in self.scenario.spawn:
            given.setdefault(spawn.zone, []).append(named[spawn.unit])
        riders: dict[str, list[Entry]] = {}
        for entry in entries:
            riders.setdefault(entry.unit.embarked_in, []).append(entry)
        zones = [
            z.id for z in board(self.scenario, self.library, frame, self.path).zones if z.kind == "spawn"
        ]
        for i, each in enumerate(self.scenario.spawn):
            if each.zone not in zones:
                raise BadData(self.path, f"spawn.{i}.zone", str(unknown(each.zone, zones, "spawning zone")))
        last = -1
        for step in (each for name in words(self.scenario.step) for each in self._named(name)):
            # Where a step does not come after the one before it, it is the next round's.
            opens, last = self.ruleset.place(step.name) <= last, self.ruleset.place(step.name)
            run = spawn_as_given(given, riders) if step.name == SPAWN and given else step.run
            ends = step.name == self.ruleset.steps[-1].name
            yield replace(step, run=run, opens_round=opens, ends_round=ends)

    def _named(self, name: str) -> tuple[Step[Battle], ...]:
        """Return the steps of the ruleset that a word of the file means."""
        if name == "none":
            return ()
        side = self.scenario.side
        exact = ROUND_STEPS.get(name, (name,))
        found = tuple(step for step in self.ruleset.steps if step.name in exact)
        if not found:
            barred = {each for names in ROUND_STEPS.values() for each in names}
            found = tuple(
                step
                for step in self.ruleset.steps
                if step.phase == name and step.turn in (None, side) and step.name not in barred
            )
        if not found or (found[0].phase == "setup" and name not in ROUND_STEPS):
            known = [s.phase for s in self.ruleset.steps] + [s.name for s in self.ruleset.steps]
            error = unknown(name, {*known, *ROUND_STEPS, "none"}, "step")
            phases = [s.phase for s in self.ruleset.steps if s.phase != "setup"]
            listed = ", ".join(dict.fromkeys((*ROUND_STEPS, *phases, "none")))
            raise BadData(
                self.path,
                "step",
                str(error) if error.near else f"there is no step '{name}'; there is {listed}",
            )
        return found


def fresh(event: ev.Event) -> ev.Event:
    """Return an event as it was before it was logged, for another game's log."""
    return replace(event, n=-1)
