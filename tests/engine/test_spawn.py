"""What spawns: two units where a bracket has none left, and no epic hero twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from datasheets.library import Library
from engine.core import event as ev
from engine.core.game import Game
from engine.core.request import Steps
from engine.core.ruleset import Step
from engine.horde.spawn_choice import with_leader
from engine.horde.spawn_row import rows_of
from engine.horde.steps import spawn
from engine.w40k.attack.damage import destroy_unit
from tests.engine.spawning import in_rows, row, spawned, table, unit

Play = Callable[..., Game]
Make = Callable[..., Any]


def spawning(play: Play, marines: Make, library: Library, roll: int = 7, **more: Any) -> Game:
    """Return a battle in whose first zone this was rolled, and nothing in the second."""
    given = {
        "factions": ("death-guard",),
        "dice": {"spawn-bracket": [roll, 1]},
        "answers": {"spawn": in_rows},
        "round_number": 1,
        **more,
    }
    return play([marines()], Step("spawn", "start-of-round", spawn.spawn), library=library, **given)


@pytest.mark.rule("SP.R5", "SP.R6", "S.S11")
@pytest.mark.parametrize(("sheet", "models", "units"), [("plague-marines", 5, 2), ("typhus", 1, 1)])
def test_two_come_from_the_bracket_below_even_twice_the_same(
    play: Play, marines: Make, tmp_path: Path, sheet: str, models: int, units: int
) -> None:
    """The third bracket is empty; the second has one entry.

    The entry comes twice, unless it is an epic hero.
    """
    game = spawning(play, marines, table(tmp_path, row(2, unit(sheet, models))))
    rolled = next(e for e in game.events if isinstance(e, ev.SpawnRolled))
    assert rolled.bracket == 3
    assert len(spawned(game)) == units


@pytest.mark.rule("ARMY.9")
@pytest.mark.parametrize(("reading", "units"), [("no", 0), ("yes", 1)])
def test_aircraft_spawn_only_where_a_ruling_lets_them(
    play: Play, marines: Make, tmp_path: Path, reading: str, units: int
) -> None:
    library = table(tmp_path, row(3, unit("orks/dakkajet")), faction="orks")
    more = {"factions": ("orks",), "rulings": {"spawn.aircraft": reading}}
    game = spawning(play, marines, library, **more)
    assert len([each for each in game.state.position.units.values() if each.side == "horde"]) == units


@pytest.mark.rule("SPAWN.4")
def test_a_row_brings_all_its_units_and_one_that_it_lists_twice_twice(
    play: Play, marines: Make, tmp_path: Path
) -> None:
    units = (unit("plague-marines", 5), unit("helbrute"), unit("helbrute"))
    library = table(tmp_path, row(3, *units, leaders=["death-guard/tallyman"]))
    game = spawning(play, marines, library)
    assert spawned(game) == ["horde/plague-marines#1", "horde/helbrute#1", "horde/helbrute#2"]
    squad, *walkers = game.state.position.on_table("horde")
    assert [part.datasheet for part in squad.parts] == ["death-guard/plague-marines", "death-guard/tallyman"]
    assert all(len(each.parts) == 1 and each.facts.bracket == 3 for each in walkers)


@pytest.mark.rule("SPAWN.4")
def test_a_leader_that_is_a_squad_comes_with_its_least_size(
    play: Play, marines: Make, tmp_path: Path
) -> None:
    led = unit("astra-militarum/tempestus-scions", 5)
    leader = "astra-militarum/militarum-tempestus-command-squad"
    library = table(tmp_path, row(3, led, leaders=[leader]), faction="astra-militarum")
    game = spawning(play, marines, library, factions=("astra-militarum",))
    (squad,) = game.state.position.on_table("horde")
    assert [part.starting_models for part in squad.parts] == [5, 5]


@pytest.mark.rule("SP.R6")
@pytest.mark.parametrize("seed", range(4))
def test_a_choice_of_datasheets_falls_on_one_that_may_come(
    play: Play, marines: Make, tmp_path: Path, seed: int
) -> None:
    """Of three the first flies and is barred, of the second there are too few models."""
    choice = unit("chaos-space-marines/heldrake plague-marines poxwalkers", 10)
    owned = {
        "chaos-space-marines/heldrake": 10,
        "death-guard/plague-marines": 9,
        "death-guard/poxwalkers": 10,
    }
    library = table(tmp_path, row(3, choice))
    game = spawning(play, marines, library, seed=seed, collection=owned)
    assert spawned(game) == ["horde/poxwalkers#1"]


@pytest.mark.rule("SP.R6")
@pytest.mark.parametrize("seed", range(4))
def test_two_choices_of_one_row_leave_each_other_what_they_need(
    play: Play, marines: Make, tmp_path: Path, seed: int
) -> None:
    """The second unit has no choice, so that the first may not take the only walker."""
    library = table(tmp_path, row(3, unit("helbrute foetid-bloat-drone"), unit("helbrute")))
    owned = {"death-guard/helbrute": 1, "death-guard/foetid-bloat-drone": 1}
    game = spawning(play, marines, library, seed=seed, collection=owned)
    assert spawned(game) == ["horde/foetid-bloat-drone#1", "horde/helbrute#1"]


@pytest.mark.rule("SP.R6")
@pytest.mark.parametrize(
    ("owned", "come"),
    [
        ({"plague-marines": 10, "tallyman": 1}, ["horde/plague-marines#1"]),
        (
            {"plague-marines": 9, "tallyman": 1, "poxwalkers": 20},
            ["horde/poxwalkers#1", "horde/poxwalkers#2"],
        ),
        ({"plague-marines": 10, "poxwalkers": 19}, ["horde/poxwalkers#1"]),
        ({"tallyman": 1, "poxwalkers": 9}, []),
    ],
)
def test_what_the_collection_lacks_does_not_come_and_two_of_the_bracket_below_do(
    play: Play, marines: Make, tmp_path: Path, owned: dict[str, int], come: list[str]
) -> None:
    led = row(3, unit("plague-marines", 10), leaders=["death-guard/tallyman"])
    library = table(tmp_path, led, row(2, unit("poxwalkers", 10)))
    collection = {f"death-guard/{name}": count for name, count in owned.items()}
    game = spawning(play, marines, library, collection=collection)
    assert spawned(game) == come


@pytest.mark.rule("SP.R6")
def test_models_in_play_are_not_there_a_second_time_and_destroyed_ones_are(
    play: Play, marines: Make, tmp_path: Path
) -> None:
    """Two zones roll the same squad, with models for one; then the squad dies, and both roll."""

    def fall(game: Game) -> Steps[bool]:
        yield from destroy_unit(game, game.state.position.units["horde/poxwalkers#1"], cause="test")
        game.log(ev.Marked(on="battle", key="zones-spawned", value=None))
        return False

    library = table(tmp_path, row(3, unit("poxwalkers", 10)))
    game = play(
        [marines()],
        Step("spawn", "start-of-round", spawn.spawn),
        Step("fall", "start-of-round", fall),
        Step("again", "start-of-round", spawn.spawn),
        library=library,
        factions=("death-guard",),
        collection={"death-guard/poxwalkers": 10},
        dice={"spawn-bracket": [7, 7, 7, 7]},
        answers={"spawn": in_rows},
        round_number=1,
    )
    told = [e.entry for e in game.events if isinstance(e, ev.SpawnRolled)]
    assert told == ["row 0", "", "row 0", ""]


@pytest.mark.rule("SPAWN.4")
def test_two_leaders_are_two_and_one_of_them_joins_the_other(
    play: Play, marines: Make, tmp_path: Path
) -> None:
    led, leaders = "death-guard/plague-marines", ["death-guard/lord-of-poxes", "death-guard/tallyman"]
    library = table(tmp_path, row(3, unit(led, 5), leader_choices=2), leaders={led: leaders})
    game = spawning(play, marines, library)
    (squad,) = game.state.position.on_table("horde")
    assert {part.name for part in squad.parts} == {"Plague Marines", "Lord of Poxes", "Tallyman"}


@pytest.mark.rule("ARMY.6")
def test_each_faction_spawns_by_its_share(play: Play, marines: Make, tmp_path: Path) -> None:
    """Three of four rolls are the first's, though its table is shorter; alone it has all."""
    library = table(tmp_path, row(3, unit("helbrute")), row(2, unit("helbrute")))
    table(tmp_path, *(row(3, unit("tyranids/carnifexes")) for _ in range(9)), faction="tyranids")
    both: dict[str, Any] = {
        "factions": ("death-guard", "tyranids"),
        "shares": {"death-guard": 3, "tyranids": 1},
    }
    drawn: Counter[str] = Counter()
    for seed in range(60):
        game = spawning(play, marines, library, seed=seed, **both)
        (told,) = [e.choice[0] for e in game.events if isinstance(e, ev.Decided) and e.cause == "ARMY.6"]
        assert spawned(game)[0].startswith("horde/helbrute") is (told == "death-guard")
        drawn[told] += 1
    assert 35 <= drawn["death-guard"] <= 55
    game = spawning(play, marines, library, roll=5, **both)
    assert spawned(game) == ["horde/helbrute#1"]
    assert not [e for e in game.events if e.cause == "ARMY.6"]


@pytest.mark.rule("ARMY.6")
def test_without_shares_the_factions_have_one_table_and_draw_no_faction(
    play: Play, marines: Make, tmp_path: Path
) -> None:
    library = table(tmp_path, row(3, unit("helbrute")))
    table(tmp_path, *(row(3, unit("tyranids/carnifexes")) for _ in range(9)), faction="tyranids")
    found: Counter[str] = Counter()
    for seed in range(40):
        game = spawning(play, marines, library, seed=seed, factions=("death-guard", "tyranids"))
        found[spawned(game)[0]] += 1
        assert not [e for e in game.events if e.cause == "ARMY.6"]
    assert 0 < found["horde/helbrute#1"] < 12


@pytest.mark.rule("SP.R8", "SPAWN.4")
@pytest.mark.parametrize(("ruling", "choices"), [({}, 1), ({"spawn.leader_on_downgrade": "no"}, 0)])
def test_a_unit_from_a_lower_bracket_comes_with_a_leader_that_is_not_in_play(
    play: Play, marines: Make, ruling: dict[str, str], choices: int
) -> None:
    game = play([marines()], factions=("tyranids",), rulings=ruling)
    rows = [r.entry for b in (1, 2, 3, 4) for r in rows_of(game, "tyranids", b)]
    plain = next(
        e
        for e in rows
        if e.units[0].datasheets == ("tyranids/genestealers",) and not e.leaders and not e.leader_choices
    )
    led = with_leader(game, plain)
    assert led.leader_choices == choices
    assert ("tyranids/broodlord" in led.possible_leaders) is bool(choices)
