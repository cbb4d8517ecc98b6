"""The one place where a State changes: `apply(state, event)` carries an event out.

It asks nothing, rolls nothing and checks nothing: every new value is in the event. The viewer folds the
same function over a log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from engine.core import event as ev
from engine.core.facts import ObjectiveFacts, UnitFacts
from engine.core.marks import NEXT_TURN, start_of
from engine.core.state import Deck, Marker, Marks, Model, Objective, Player, State, Unit


def fold(events: Iterable[ev.Event], state: State | None = None) -> State:
    """Return the state after these events."""
    state = state or State()
    for event in events:
        apply(state, event)
    return state


def apply(state: State, event: ev.Event) -> None:
    """Carry out an event.

    Events that only tell something (a shot declared, attacks counted) change nothing.
    """
    changing = _CHANGING.get(type(event))
    if changing is not None:
        changing(event, state)


_CHANGING: dict[type[ev.Event], Callable[..., None]] = {}


def _on(kind: type[ev.Event]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def enter(change: Callable[..., None]) -> Callable[..., None]:
        _CHANGING[kind] = change
        return change

    return enter


@_on(ev.Setup)
def _setup(event: ev.Setup, state: State) -> None:
    state.ruleset = event.ruleset
    state.position.board = event.board
    state.rounds = event.rounds
    state.factions = event.factions
    state.shares = event.shares
    state.collection = event.collection
    state.game_master = event.game_master
    state.rules = event.rules
    state.barred = event.removed
    state.position.terrain = {t.id: t for t in event.board.terrain}
    state.position.zones = {z.id: z for z in event.board.zones}
    state.position.objectives = {o.id: Objective(o) for o in event.board.objectives}
    state.players = {p.id: Player(p, p.cp, p.sp) for p in event.players}
    state.decks = {name: Deck(cards) for name, cards in event.decks.items()}
    state.position.table.terrain_version += 1


@_on(ev.RoundBegan)
def _round_began(event: ev.RoundBegan, state: State) -> None:
    state.round = event.number


@_on(ev.RoundEnded)
def _round_ended(event: ev.RoundEnded, state: State) -> None:
    _expire(state, "round")


@_on(ev.TurnBegan)
def _turn_began(event: ev.TurnBegan, state: State) -> None:
    state.turn = event.whose
    _expire(state, start_of(event.whose))
    for marks in _all_marks(state):
        marks.last(NEXT_TURN, "turn")


@_on(ev.TurnEnded)
def _turn_ended(event: ev.TurnEnded, state: State) -> None:
    _expire(state, "turn")
    state.turn = ""


@_on(ev.PhaseBegan)
def _phase_began(event: ev.PhaseBegan, state: State) -> None:
    if state.running != event.name:
        _expire(state, start_of(state.turn, event.name))
    state.running = state.phase = event.name
    state.step = event.step
    state.cursor = event.cursor


@_on(ev.PhaseEnded)
def _phase_ended(event: ev.PhaseEnded, state: State) -> None:
    if event.last:
        _expire(state, "phase")
        state.running = ""
    state.phase = ""
    state.step = ""
    state.cursor = event.cursor


def _expire(state: State, moment: str) -> None:
    for marks in _all_marks(state):
        marks.expire(moment)


def _all_marks(state: State) -> list[Marks]:
    return [
        state.marks,
        *(u.marks for u in state.position.units.values()),
        *(p.marks for p in state.players.values()),
        *(o.marks for o in state.position.objectives.values()),
        *(m.marks for m in state.position.markers.values()),
        *state.rule_marks.values(),
    ]


@_on(ev.CardRevealed)
def _card_revealed(event: ev.CardRevealed, state: State) -> None:
    deck = state.decks[event.deck]
    draw = deck.draw if event.draw is None else event.draw
    if event.discard is not None:
        deck.discard = event.discard
    deck.draw = tuple(card for card in draw if card != event.card)
    if event.player:
        player = state.players[event.player]
        player.secrets = (*player.secrets, event.card)
    else:
        deck.active = (*deck.active, event.card)
        deck.revealed += 1


@_on(ev.CardDiscarded)
def _card_discarded(event: ev.CardDiscarded, state: State) -> None:
    deck = state.decks[event.deck]
    deck.active = tuple(card for card in deck.active if card != event.card)
    if event.draw is not None:
        deck.draw = event.draw
    for player in state.players.values():
        player.secrets = tuple(card for card in player.secrets if card != event.card)
        player.saved = tuple(card for card in player.saved if card != event.card)
    if event.to == "discard":
        deck.discard = (*deck.discard, event.card)
    elif event.to in state.players:
        owner = state.players[event.to]
        owner.saved = (*owner.saved, event.card)


@_on(ev.SecretRevealed)
def _secret_revealed(event: ev.SecretRevealed, state: State) -> None:
    player = state.players[event.player]
    if event.card not in player.revealed:
        player.revealed = (*player.revealed, event.card)
    if event.completed and event.card not in player.completed:
        player.completed = (*player.completed, event.card)


@_on(ev.Placed)
def _placed(event: ev.Placed, state: State) -> None:
    if event.facts is not None:
        _enter(state, event.facts)
    if event.unit:
        _stand(state, event.unit, event.poses)
    if event.terrain is not None:
        state.position.terrain[event.terrain.id] = event.terrain
        state.position.table.terrain_version += 1
    if event.marker and event.thing == "objective":
        state.position.objectives[event.marker] = Objective(ObjectiveFacts(id=event.marker, at=event.at))
    elif event.marker:
        state.position.markers[event.marker] = Marker(event.marker, event.thing, event.owner, event.at)


def _enter(state: State, facts: UnitFacts) -> None:
    state.position.units[facts.id] = Unit(facts, tuple(m.row for m in facts.models))
    state.position.table.add(facts.models)
    for model in facts.models:
        state.position.models.append(Model(model, facts.id, model.characteristics.get("W", 1)))


def _stand(state: State, unit_id: str, poses: dict[int, ev.Pose]) -> None:
    unit = state.position.units[unit_id]
    unit.where = "table"
    unit.transport = ""
    state.position.table.put(poses)


@_on(ev.Moved)
def _moved(event: ev.Moved, state: State) -> None:
    _stand(state, event.unit, event.poses)


@_on(ev.Arrived)
def _arrived(event: ev.Arrived, state: State) -> None:
    _stand(state, event.unit, event.poses)


@_on(ev.Disembarked)
def _disembarked(event: ev.Disembarked, state: State) -> None:
    _stand(state, event.unit, event.poses)


@_on(ev.Reserved)
def _reserved(event: ev.Reserved, state: State) -> None:
    if event.facts is not None:
        _enter(state, event.facts)
    _leave(state, event.unit, "reserves")


@_on(ev.Embarked)
def _embarked(event: ev.Embarked, state: State) -> None:
    if event.facts is not None:
        _enter(state, event.facts)
    _leave(state, event.unit, "embarked")
    unit, transport = state.position.units[event.unit], state.position.units[event.transport]
    unit.transport = transport.id
    for model in unit.facts.models:
        if model.row not in transport.deck:
            transport.deck[model.row] = len(transport.facts.weapons) + len(transport.borrowed)
            transport.borrowed = (*transport.borrowed, *unit.facts.weapons)


def _leave(state: State, unit_id: str, where: str) -> None:
    unit = state.position.units[unit_id]
    unit.where = where
    for row in unit.rows:
        state.position.table.lift(row)


@_on(ev.Rolled)
def _rolled(event: ev.Rolled, state: State) -> None:
    state.dice[event.stream] = event.draws


@_on(ev.Damaged)
def _damaged(event: ev.Damaged, state: State) -> None:
    state.position.models[event.model].wounds = event.wounds


@_on(ev.Healed)
def _healed(event: ev.Healed, state: State) -> None:
    state.position.models[event.model].wounds = event.wounds


@_on(ev.Returned)
def _returned(event: ev.Returned, state: State) -> None:
    unit = state.position.units[event.unit]
    model = state.position.models[event.model]
    model.wounds = event.wounds
    living = {*unit.rows, event.model}
    unit.rows = tuple(m.row for m in unit.facts.models if m.row in living)
    if model.facts.part in unit.parts_lost:
        unit.lose(tuple(p for p in unit.parts_lost if p != model.facts.part))
    if unit.where == "destroyed":
        unit.where = "table"
    if unit.where == "table":
        state.position.table.put({event.model: event.pose})


@_on(ev.Destroyed)
def _destroyed(event: ev.Destroyed, state: State) -> None:
    unit = state.position.units[event.unit]
    state.position.models[event.model].wounds = 0
    unit.rows = tuple(row for row in unit.rows if row != event.model)
    state.position.table.lift(event.model)


@_on(ev.UnitDestroyed)
def _unit_destroyed(event: ev.UnitDestroyed, state: State) -> None:
    unit = state.position.units[event.unit]
    if event.part is None:
        unit.where = "destroyed"
    elif event.part not in unit.parts_lost:
        unit.lose(tuple(sorted((*unit.parts_lost, event.part))))


@_on(ev.Shocked)
def _shocked(event: ev.Shocked, state: State) -> None:
    state.position.units[event.unit].marks.values["battle-shocked"] = (True, "battle")


@_on(ev.Recovered)
def _recovered(event: ev.Recovered, state: State) -> None:
    state.position.units[event.unit].marks.values.pop("battle-shocked", None)


@_on(ev.Controlled)
def _controlled(event: ev.Controlled, state: State) -> None:
    objective = state.position.objectives[event.objective]
    objective.by = event.by
    objective.players = event.players


@_on(ev.Gained)
def _gained(event: ev.Gained, state: State) -> None:
    _set_resource(state, event.player, event.what, event.total)


@_on(ev.Spent)
def _spent(event: ev.Spent, state: State) -> None:
    _set_resource(state, event.player, event.what, event.total)


def _set_resource(state: State, player: str, what: str, total: int) -> None:
    owner = state.players[player]
    if what == "cp":
        owner.cp = total
    else:
        owner.sp = total


@_on(ev.Marked)
def _marked(event: ev.Marked, state: State) -> None:
    marks = _marks_of(state, event.on)
    if event.value is None:
        marks.values.pop(event.key, None)
    else:
        marks.values[event.key] = (event.value, event.until)


def _marks_of(state: State, on: str) -> Marks:
    kind, _, name = on.partition(":")
    if kind == "unit":
        return state.position.units[name].marks
    if kind == "player":
        return state.players[name].marks
    if kind == "objective":
        return state.position.objectives[name].marks
    if kind == "marker":
        return state.position.markers[name].marks
    if kind == "rule":
        return state.rule_marks.setdefault(name, Marks())
    return state.marks


@_on(ev.ActionBegan)
def _action_began(event: ev.ActionBegan, state: State) -> None:
    state.position.units[event.unit].marks.values["action"] = (event.rule, "battle")


@_on(ev.ActionEnded)
def _action_ended(event: ev.ActionEnded, state: State) -> None:
    state.position.units[event.unit].marks.values.pop("action", None)


@_on(ev.Removed)
def _removed(event: ev.Removed, state: State) -> None:
    kind, _, name = event.what.partition(":")
    if kind == "unit":
        _leave(state, name, "removed")
    elif kind == "terrain":
        del state.position.terrain[name]
        state.position.table.terrain_version += 1
    elif kind == "objective":
        del state.position.objectives[name]
    elif kind == "marker":
        del state.position.markers[name]


@_on(ev.BattleEnded)
def _battle_ended(event: ev.BattleEnded, state: State) -> None:
    state.winners = event.winners
    state.over = event.reason


def digest(state: State) -> str:
    """Return a canonical text of the whole state, by which two states can be compared."""
    return msgspec.json.encode(_plain(state), order="deterministic").decode()


def _plain(state: State) -> dict[str, object]:
    return {
        "when": [state.round, state.turn, state.phase, state.step, state.cursor, state.over, state.winners],
        "models": [(m.unit, m.wounds) for m in state.position.models],
        "poses": [
            (*map(float, xy), float(z), float(f), bool(on))
            for xy, z, f, on in zip(
                state.position.table.xy,
                state.position.table.z,
                state.position.table.facing,
                state.position.table.on,
                strict=True,
            )
        ],
        "units": {
            u.id: [u.rows, u.where, u.transport, u.parts_lost, u.marks.values]
            for u in state.position.units.values()
        },
        "players": {
            p.facts.id: [p.cp, p.sp, p.secrets, p.revealed, p.completed, p.saved, p.marks.values]
            for p in state.players.values()
        },
        "decks": {name: [d.draw, d.active, d.discard, d.revealed] for name, d in state.decks.items()},
        "objectives": {
            o.facts.id: [o.by, o.players, o.marks.values] for o in state.position.objectives.values()
        },
        "terrain": sorted(state.position.terrain),
        "markers": {m.id: [m.kind, m.owner, m.at, m.marks.values] for m in state.position.markers.values()},
        "marks": [state.marks.values, {k: m.values for k, m in state.rule_marks.items()}],
        "dice": state.dice,
    }
