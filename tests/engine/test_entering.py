"""Units that come onto the battlefield: added, beside others, set up anew, early, nearer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from datasheets.rule import Rule
from engine.core import event as ev
from engine.core.facts import TransportFacts
from engine.core.game import Game, IllegalAnswer
from engine.core.request import Chosen, Places, Steps
from engine.core.ruleset import Step
from engine.core.state import Marker
from engine.records.context import Context
from engine.records.language import Act
from engine.w40k.attack.outcome import Outcome
from engine.w40k.phase import arrival, deploy, reserves
from engine.w40k.verbs import effects, entering
from engine.w40k.words import bearing, circumstance, own_reach, units
from tests.engine.abilities import rule, unit

Play = Callable[..., Game]
Make = Callable[..., Any]
TEST = rule("test", no_effect=True)
RADIUS = 12.5 / 25.4
"""Of a Spore Mine's base, in inches."""


def act(game: Game, bearer: Any = None, record: Rule = TEST) -> Act:
    return Act(record, Context(game.state, {"bearer": bearer, "owner": "p1"}))


def step(run: Callable[[Game], Steps[None]], turn: str = "players", phase: str = "shooting") -> Step[Any]:
    """Return a step in which something is done once."""

    def steps(game: Game) -> Steps[bool]:
        yield from run(game)
        return False

    return Step(f"{turn}.{phase}", phase, steps, turn)


def poses(*spots: tuple[float, float]) -> Callable[[Game], Places]:
    """Return an answer that sets models up at these spots, in order."""
    return lambda game: Places(
        poses={row: (x, y, 0.0, 0.0) for row, (x, y) in zip(game.pending.rows, spots, strict=False)}
    )


# units that are added


def adds(far: float, apart: float, wholly: bool = True) -> Callable[[Game], Steps[None]]:
    def run(game: Game) -> Steps[None]:
        host = unit(game, "marines")
        yield from entering.add_unit(
            game, act(game, host), host, "tyranids/spore-mines", 1, far, apart, wholly
        )

    return run


@pytest.mark.rule("R.A110")
def test_a_unit_that_is_added_is_of_its_hosts_army_and_costs_nothing(play: Play, marines: Make) -> None:
    game = play([marines()], step(adds(6, 9)), answers={"arrive": poses((30.0, 12.0))})
    added = unit(game, "p1/spore-mines#1")
    assert (added.player, added.side, added.where, len(added.rows)) == ("p1", "players", "table", 1)
    assert added.facts.points == 0
    assert added.facts.parts[0].starting_models == 1
    # What has just been set up counts as having moved, until its turn ends.
    moved = [e for e in game.events if isinstance(e, ev.Marked) and e.on == "unit:p1/spore-mines#1"]
    assert {(e.key, e.until) for e in moved} >= {("arrived", "turn"), ("moved", "turn")}


@pytest.mark.parametrize(
    ("wholly", "y", "legal"),
    [
        (True, 8.0 + 16 / 25.4 + 6 - RADIUS, True),
        (True, 8.0 + 16 / 25.4 + 6 - RADIUS + 0.01, False),
        (False, 8.0 + 16 / 25.4 + 6 + RADIUS - 0.001, True),
        (False, 8.0 + 16 / 25.4 + 6 + RADIUS + 0.01, False),
    ],
)
def test_a_unit_is_added_wholly_within_a_distance_or_only_within(
    play: Play, marines: Make, wholly: bool, y: float, legal: bool
) -> None:
    def run() -> Game:
        return play([marines()], step(adds(6, 9, wholly)), answers={"arrive": poses((30.0, y))})

    if legal:
        assert unit(run(), "p1/spore-mines#1").where == "table"
    else:
        with pytest.raises(IllegalAnswer, match="wholly within"):
            run()


def test_a_unit_that_is_not_set_up_is_nowhere(play: Play, marines: Make) -> None:
    game = play([marines()], step(adds(6, 9)), answers={"arrive": Places()})
    assert unit(game, "p1/spore-mines#1").where == "destroyed"
    assert not circumstance.on_table(game, unit(game, "p1/spore-mines#1"))


def test_a_unit_that_is_added_keeps_off_all_enemies_but_one(play: Play, marines: Make, foes: Make) -> None:
    def run(game: Game) -> Steps[None]:
        host, foe = unit(game, "marines"), unit(game, "foes")
        sheet = "tyranids/ripper-swarms"
        yield from entering.add_unit(game, act(game, host), host, sheet, 1, 3, 1, False, foe)

    stands = [marines(at=[(30.0, 10.0)]), foes(at=[(30.0, 12.0)]), foes("others", at=[(36.0, 10.0)])]
    game = play(stands, step(run, "horde", "fight"), answers={"arrive": poses((32.0, 12.0))})
    assert circumstance.engages(game, unit(game, "p1/ripper-swarms#1"), unit(game, "foes"))
    with pytest.raises(IllegalAnswer):
        play(stands, step(run, "horde", "fight"), answers={"arrive": poses((34.0, 10.0))})


# units that arrive beside something


@pytest.mark.parametrize(("x", "legal"), [(31.9, True), (33.0, False)])
def test_a_unit_arrives_beside_an_enemy(play: Play, marines: Make, foes: Make, x: float, legal: bool) -> None:
    def run(game: Game) -> Steps[None]:
        game.log(ev.Reserved(unit="marines", how="strategic"))
        yield from entering.arrive_beside(game, act(game), unit(game, "marines"), unit(game, "foes"), 1, 0)

    stands = [marines(at=[(10.0, 10.0)]), foes(at=[(30.0, 20.0)])]
    answers = {"arrive": poses((x, 20.0))}
    if not legal:
        with pytest.raises(IllegalAnswer):
            play(stands, step(run, "horde", "charge"), answers=answers)
        return
    game = play(stands, step(run, "horde", "charge"), answers=answers)
    assert units.engaged(game, unit(game, "marines"))
    assert not circumstance.in_reserves(game, unit(game, "marines"))


def test_only_what_is_in_reserves_arrives_beside_something(play: Play, marines: Make, foes: Make) -> None:
    game = play([marines(), foes()])
    beside = entering.arrive_beside(game, act(game), unit(game, "marines"), unit(game, "foes"), 1, 0)
    assert not list(beside)
    assert not circumstance.in_reserves(game, unit(game, "marines"))


# what rides in a transport


HOLD = TransportFacts(capacity=12)


@pytest.mark.parametrize(("near", "gets_out"), [((50.0, 30.0), True), ((41.0, 20.0), False)])
def test_what_rides_in_a_transport_is_put_out_where_it_fits(
    play: Play, marines: Make, foes: Make, near: tuple[float, float], gets_out: bool
) -> None:
    ring = [(41.0, 20.0), (19.0, 20.0), (30.0, 31.0), (30.0, 9.0)]

    def run(game: Game) -> Steps[None]:
        yield from entering.put_out(game, act(game), unit(game, "pod"), 9)

    stands = [
        marines("pod", at=[(30.0, 20.0)], transport=HOLD),
        marines("riders", at=[(0.0, 0.0)], embarked_in="pod"),
        *(foes(f"foe{i}", at=[spot]) for i, spot in enumerate([near] if gets_out else ring)),
    ]
    place = poses((30.0, 22.0)) if gets_out else Places()
    game = play(stands, step(run, phase="movement"), answers={"disembark": place})
    assert (unit(game, "riders").where == "table") is gets_out


@pytest.mark.rule("DATASHEET.deployment-complete")
def test_what_is_empty_is_not_boarded(play: Play, marines: Make) -> None:
    pod = {"transport": HOLD, "rules": ("datasheet/deployment-complete",)}
    stands = [
        marines("empty", at=[(20.0, 8.0)], **pod),
        marines("full", at=[(30.0, 8.0)], **pod),
        marines("riders", at=[(0.0, 0.0)], embarked_in="full"),
        marines("plain", at=[(40.0, 8.0)], transport=HOLD),
    ]
    game = play(stands)
    assert [bearing.is_empty(game, unit(game, name)) for name in ("empty", "full")] == [True, False]
    asked = [game.query.may("be-boarded", unit=unit(game, name)) for name in ("empty", "full", "plain")]
    assert asked == [False, True, True]


@pytest.mark.rule("DATASHEET.aerial-seeding")
@pytest.mark.parametrize(("turn", "when"), [(None, "before"), ("players", "after")])
def test_what_gets_out_as_its_transport_spawns_has_not_moved(
    play: Play, marines: Make, turn: str | None, when: str
) -> None:
    def run(game: Game) -> Steps[bool]:
        yield from entering.put_out(game, act(game), unit(game, "pod"), 9)
        found.append(unit(game, "riders").marks.get("disembarked"))
        return False

    found: list[Any] = []
    stands = [
        marines("pod", at=[(30.0, 20.0)], transport=HOLD),
        marines("riders", at=[(0.0, 0.0)], embarked_in="pod"),
    ]
    phase = "movement" if turn else "start-of-round"
    play(stands, Step("out", phase, run, turn), answers={"disembark": poses((30.0, 22.0))})
    assert found == [when]


# before the battle


@pytest.mark.rule("R.A111")
def test_units_are_set_up_anew_or_put_into_reserves(play: Play, marines: Make) -> None:
    def run(game: Game) -> Steps[None]:
        yield from entering.redeploy(game, act(game), (unit(game, "a"), unit(game, "b")))

    def where(game: Game) -> Chosen:
        return Chosen(ids=("reserves" if game.pending.unit == "a" else "battlefield",))

    stands = [marines("a", at=[(10.0, 4.0)]), marines("b", at=[(20.0, 4.0)])]
    answers = {"redeploy": where, "place": poses((40.0, 4.0))}
    game = play(stands, step(run, "players", "setup"), answers=answers)
    assert unit(game, "a").where == "reserves"
    assert game.state.position.table.xy[unit(game, "b").rows[0]].tolist() == [40.0, 4.0]


@pytest.mark.rule("DATASHEET.drop-pod-assault", "DATASHEET.aerial-seeding")
def test_what_must_begin_in_reserves_is_not_asked_and_may_not_count_there(play: Play, marines: Make) -> None:
    """Of two units of 100 points one waits: the other may wait only where that is not counted."""

    def offered(name: str) -> tuple[dict[str, str], list[str]]:
        stands = [marines("pod", at=[(0.0, 0.0)], rules=(name,)), marines("b", at=[(0.0, 0.0)])]
        facts = tuple(_costing(stand.facts(row)) for row, stand in enumerate(stands))
        found: list[str] = []

        def set_up(game: Game) -> Steps[bool]:
            game.mustered = facts
            return (yield from deploy.deploy(game))

        def begins(game: Game) -> str:
            found.extend(option.id for option in game.pending.options)
            return "battlefield"

        answers = {"deploy": begins, "place": poses((20.0, 4.0))}
        game = play([], Step("deploy", "setup", set_up), answers=answers)
        return {each.id: each.where for each in game.state.position.units.values()}, found

    assert offered("datasheet/drop-pod-assault") == ({"pod": "reserves", "b": "table"}, ["battlefield"])
    assert offered("datasheet/aerial-seeding")[1] == ["battlefield", "reserves"]


def _costing(facts: Any) -> Any:
    return structs.replace(facts, parts=tuple(structs.replace(part, points=100) for part in facts.parts))


# when, and how near to enemies


@pytest.mark.rule("DATASHEET.drop-pod-assault", "CORE.RES.2")
@pytest.mark.parametrize(("rules", "comes"), [((), False), (("datasheet/drop-pod-assault",), True)])
def test_a_unit_arrives_in_the_first_round_only_where_a_rule_says_so(
    play: Play, marines: Make, rules: tuple[str, ...], comes: bool
) -> None:
    game = play([marines(rules=rules)], round_number=1)
    assert reserves.may_come(game, unit(game, "marines")) is comes
    assert arrival.arrival_round(game, unit(game, "marines")) == (2 if comes else 1)


@pytest.mark.rule("R.A112", "DATASHEET.omni-scramblers", "DATASHEET.meteoric-descent")
def test_the_greater_distance_from_an_enemy_counts(play: Play, marines: Make, foes: Make) -> None:
    stands = [
        marines("a", at=[(10.0, 10.0)], rules=("datasheet/omni-scramblers",)),
        marines("b", at=[(20.0, 10.0)]),
        foes(rules=("datasheet/meteoric-descent",)),
    ]
    game = play(stands)
    comer = unit(game, "foes")
    assert arrival.distances(game, comer, 9.0) == {"a": 12.0}
    game.log(ev.Marked(on="unit:foes", key="arrives-nearer", value=True, until="turn"))
    assert arrival.distances(game, comer, 9.0) == {"a": 12.0, "b": 6.0}
    assert arrival.distances(game, unit(game, "a"), 9.0) == {}


# words, and what weapons destroyed


@pytest.mark.rule("DATASHEET.parasitic-infection")
@pytest.mark.parametrize(
    ("weapon", "keyword", "rows", "found"),
    [
        ("barb - long", "INFANTRY", (0,), True),
        ("claw", "INFANTRY", (0,), False),
        ("barb", "VEHICLE", (0,), False),
        ("barb", "INFANTRY", (5,), False),
    ],
)
def test_what_lost_a_model_to_a_weapon_of_the_own_part_is_known(
    play: Play, marines: Make, foes: Make, weapon: str, keyword: str, rows: tuple[int, ...], found: bool
) -> None:
    game = play([marines(), foes()])
    ours, theirs = unit(game, "marines"), unit(game, "foes")
    counts = {"attacks": 1, "hits": 1, "critical_hits": 0, "wounds": 1, "critical_wounds": 0, "unsaved": 1}
    struck = ev.Attacked(unit="marines", target="foes", weapon=weapon, models=rows, **counts)
    made = Outcome((struck,), {"foes": theirs.rows}, felled=(theirs.rows,))
    about = Context(game.state, {"attacks": made, "bearer": ours, "own_part": 0})
    assert own_reach.slain_with(game, keyword, "barb", about) is (theirs if found else None)
    nothing = Context(game.state, {"bearer": ours, "own_part": 0})
    assert own_reach.slain_with(game, keyword, "barb", nothing) is None


@pytest.mark.rule("DATASHEET.narthecium-of-the-ravenwing")
@pytest.mark.parametrize("barred", [("INFANTRY",), ("own name",)])
def test_models_of_a_barred_name_or_keyword_do_not_return(
    play: Play, marines: Make, barred: tuple[str, ...]
) -> None:
    spots = [(30.0, 8.0), (31.5, 8.0)]

    def run(game: Game) -> Steps[None]:
        hurt = unit(game, "marines")
        names = (game.state.position.models[0].facts.name,) if barred == ("own name",) else barred
        game.log(ev.Destroyed(unit="marines", model=hurt.rows[0]))
        yield from effects.return_models(game, act(game), hurt, 1, "", *names)

    game = play([marines(at=spots)], step(run, phase="command"), answers={"return": poses((30.0, 8.0))})
    assert len(unit(game, "marines").rows) == 1


@pytest.mark.rule("DATASHEET.teleport-homer")
def test_a_marker_may_be_one_units_own(play: Play, marines: Make) -> None:
    def run(game: Game) -> Steps[None]:
        yield from effects.place_marker(game, act(game), "token", (10.0, 10.0), unit(game, "marines"))

    game = play([marines(), marines("others", at=[(40.0, 8.0)])], step(run))
    (marker,) = game.state.position.markers.values()
    assert isinstance(marker, Marker)
    assert circumstance.listed(game, unit(game, "marines"), marker, "for")
    assert not circumstance.listed(game, unit(game, "others"), marker, "for")
    assert not circumstance.listed(game, None, marker, "for")


# what is sworn and hunted from the start of the battle


@pytest.mark.rule("DATASHEET.oathbound")
@pytest.mark.parametrize(
    ("keyword", "melee", "change"),
    [("MONSTER", True, (1, 1)), ("VEHICLE", True, (1, 0)), ("MONSTER", False, (0, 0))],
)
def test_a_led_unit_wounds_better_what_its_oath_is_sworn_on(
    play: Play, marines: Make, foes: Make, keyword: str, melee: bool, change: tuple[int, int]
) -> None:
    stands = [
        marines("led", at=[(30.0, 8.0), (31.5, 8.0)], leaders=1, leader_rules=("datasheet/oathbound",)),
        foes(keywords=("MONSTER",)),
    ]
    game = play(stands, Step("players.command", "command", _nothing, "players"), answers={"target": keyword})
    attack = {"attacker": unit(game, "led"), "target": unit(game, "foes"), "melee": melee}
    found = [game.query.number(f"attack.{roll}-modifier", 0, **attack).value for roll in ("hit", "wound")]
    assert tuple(found) == change


@pytest.mark.rule("DATASHEET.oathbound")
def test_without_a_bodyguard_the_oath_changes_nothing(play: Play, marines: Make, foes: Make) -> None:
    stands = [marines("led", rules=("datasheet/oathbound",)), foes(keywords=("MONSTER",))]
    game = play(
        stands, Step("players.command", "command", _nothing, "players"), answers={"target": "MONSTER"}
    )
    attack = {"attacker": unit(game, "led"), "target": unit(game, "foes"), "melee": True}
    assert game.query.number("attack.hit-modifier", 0, **attack).value == 0


@pytest.mark.rule("DATASHEET.talonstrike-doctrines")
@pytest.mark.parametrize(
    "event",
    [
        ev.Placed(unit="marines", poses={0: (10.0, 10.0, 0.0, 0.0)}),
        ev.Arrived(unit="marines", poses={0: (10.0, 10.0, 0.0, 0.0)}),
        ev.Disembarked(unit="marines", transport="foes", poses={0: (10.0, 10.0, 0.0, 0.0)}),
    ],
)
def test_weapons_pierce_more_in_the_turn_of_a_set_up_alone(
    play: Play, marines: Make, foes: Make, event: ev.Event
) -> None:
    def run(game: Game) -> Steps[None]:
        yield from game.happen(structs.replace(event), "TEST")
        found.append(_pierces(game))

    found: list[tuple[float, bool]] = []
    stands = [marines(rules=("datasheet/talonstrike-doctrines",)), foes()]
    game = play(stands, step(run), Step("horde.command", "command", _nothing, "horde"))
    assert found == [(-1.0, True)]
    assert _pierces(game) == (0.0, False)


def _pierces(game: Game) -> tuple[float, bool]:
    """Return the AP of a blade of AP 0, and whether it has Lance."""
    ours = unit(game, "marines")
    attack = {"attacker": ours, "target": unit(game, "foes"), "melee": True, "weapon": ours.weapon(1)}
    return game.query.number("weapon.ap", 0, **attack).value, "lance" in game.query.weapon_keywords(
        ours, 0, 1
    )


def _nothing(game: Game) -> Steps[bool]:
    return False
    yield
