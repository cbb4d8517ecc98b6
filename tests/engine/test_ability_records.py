"""What records of abilities may say: how often, how long, by what roll, with what item."""

from __future__ import annotations

from typing import Any

import pytest

from datasheets.errors import BadData
from datasheets.library import Library
from datasheets.rule import Ask, Grant, Modify, Outcome, When
from engine.core import event as ev
from engine.core.facts import WeaponFacts
from engine.core.game import Game
from engine.core.request import Steps
from engine.core.ruleset import Step
from engine.horde.language import LANGUAGE
from engine.records.compiled import Compiled
from engine.records.rulebook import Rulebook, compiled_rules
from engine.records.sequence import matter_of
from engine.w40k.attack.damage import destroy_unit
from tests.engine.abilities import GUN, PHASES, battle, foes, idle, marines, nothing, rule, unit
from tests.engine.offering import rolled

COUNT = "mark(bearer, 'acts', mark_of(bearer, 'acts') + 1)"
"""A bearer counts how often its ability acts."""
IN_TURN = "turn != ''"
"""Not in the step that ends a situation, which is in nobody's turn."""
TWO = (("a", 10.0), ("b", 14.0))


def bearers(*rules: str, **more: Any) -> list[Any]:
    """Return two units of the players that bear these rules."""
    names = tuple(f"test/{each}" for each in rules)
    return [marines(name, at=[(x, 10.0)], rules=names, **more) for name, x in TWO]


def acts(game: Game, *names: str) -> list[int]:
    """Return how often each unit's ability has acted."""
    return [unit(game, name).marks.count("acts") for name in names]


# how often


@pytest.mark.parametrize(
    ("once", "times"), [("", 10), ("phase", 10), ("turn", 2), ("round", 1), ("battle", 1)]
)
def test_each_bearer_has_its_own_once(once: str, times: int) -> None:
    boost = rule("boost", when=(When(moment="phase-began", condition=IN_TURN, once=once, do=(COUNT,)),))
    steps = [*idle("horde", *PHASES), *idle("players", *PHASES)]
    game = battle([boost], [*bearers("boost"), foes(rules=("test/boost",))], *steps)
    assert acts(game, "a", "b", "foes") == [times] * 3


def test_an_army_has_one_for_all_its_bearers() -> None:
    """Another player's army, and the Horde's, have their own."""
    boost = rule(
        "boost",
        when=(When(moment="phase-began", condition=IN_TURN, once="turn", once_for="army", do=(COUNT,)),),
    )
    other = marines("c", at=[(18.0, 10.0)], player="p2", rules=("test/boost",))
    horde = [foes(f"foe{i}", at=[(10.0 + 4 * i, 30.0)], rules=("test/boost",)) for i in (1, 2)]
    game = battle(
        [boost], [*bearers("boost"), other, *horde], *idle("players", *PHASES), players=("p1", "p2")
    )
    assert acts(game, "a", "b", "c", "foe1", "foe2") == [1, 0, 1, 1, 0]


def test_one_thing_is_affected_once_by_however_many_bearers() -> None:
    worn = When(
        moment="phase-began",
        condition=IN_TURN,
        each="unit where horde(unit)",
        once="turn",
        do=("mark(unit, 'acts', mark_of(unit, 'acts') + 1)",),
    )
    enemies = [foes("x", at=[(10.0, 30.0)]), foes("y", at=[(20.0, 30.0)])]
    game = battle([rule("wear", when=(worn,))], [*bearers("wear"), *enemies], *idle("players", *PHASES))
    assert acts(game, "x", "y") == [1, 1]


# for how long


SLOW = rule("slow", state=True, modify=(Modify(number="unit.move", add=-2, condition="unit == bearer"),))


def curse(until: str, state: str = "slow", phase: str = "command") -> Any:
    """Return a rule that puts all enemies into a state as a phase of its turn begins."""
    return rule(
        "curse",
        when=(
            When(
                moment="phase-began",
                condition=f"phase == '{phase}' and horde(bearer) == (turn == 'horde')",
                each="unit where horde(unit) != horde(bearer)",
                do=(f"bestow(unit, '{until}', 'state/{state}')",),
            ),
        ),
    )


def move(game: Game, name: str = "foes") -> float:
    """Return a unit's Move, printed as 6."""
    return float(game.query.number("unit.move", 6, unit=unit(game, name)).value)


def test_a_state_is_borne_once_by_however_many_it_is_bestowed() -> None:
    """Two bearers of a mark of -2 inches make a Move of 6 one of 4."""
    game = battle([curse("battle"), SLOW], [*bearers("curse"), foes()], *idle("players", "command"))
    assert move(game) == 4


def test_a_state_that_names_its_giver_is_borne_of_each() -> None:
    """What is better for the giver alone is so for both of two."""
    prey = rule(
        "prey",
        state=True,
        modify=(
            Modify(number="attack.hit-modifier", add=1, condition="target == bearer and attacker == giver"),
        ),
    )
    stands = [*bearers("curse"), marines("c", at=[(18.0, 10.0)]), foes()]
    game = battle([curse("battle", "prey"), prey], stands, *idle("players", "command"))
    found = [
        game.query.number("attack.hit-modifier", 0, attacker=unit(game, name), target=unit(game, "foes"))
        for name in ("a", "b", "c")
    ]
    assert [each.value for each in found] == [1, 1, 0]


@pytest.mark.parametrize(("dead", "moves"), [((), 4), (("a",), 4), (("b",), 4), (("a", "b"), 6)])
def test_a_state_counts_once_while_any_giver_of_it_is_there(dead: tuple[str, ...], moves: float) -> None:
    """Each of two gives it for as long as it is on the battlefield."""
    while_there = Modify(number="unit.move", add=-2, condition="unit == bearer and on_table(giver)")
    slow = rule("slow", state=True, modify=(while_there,))
    game = battle([curse("battle"), slow], [*bearers("curse"), foes()], *idle("players", "command"))
    for name in dead:
        game.log(ev.Destroyed(unit=name, model=unit(game, name).rows[0]))
        game.log(ev.UnitDestroyed(unit=name))
    assert move(game) == moves


def test_a_state_outlives_the_unit_that_bestowed_it() -> None:
    def dies(game: Game) -> Steps[bool]:
        yield from destroy_unit(game, unit(game, "a"), cause="TEST")
        return False

    stands = [marines("a", at=[(10.0, 10.0)], rules=("test/curse",)), foes()]
    steps = [*idle("players", "command"), Step("players.movement", "movement", dies, "players")]
    game = battle([curse("battle"), SLOW], stands, *steps)
    assert unit(game, "a").where == "destroyed"
    assert move(game) == 4


@pytest.mark.parametrize(
    ("until", "begins", "last", "ended"),
    [
        ("phase", "command", 0, 1),
        ("turn", "command", 4, 5),
        ("next turn", "command", 9, 10),
        ("next turn", "fight", 9, 10),
        ("own turn", "shooting", 10, 11),
        ("own movement", "command", 0, 1),
        ("own movement", "movement", 11, 12),
        ("own shooting", "fight", 12, 13),
        ("battle", "command", 15, None),
    ],
)
def test_a_state_ends_when_it_says(until: str, begins: str, last: int, ended: int | None) -> None:
    """The Move is read in each phase of four turns: the givers', the Horde's, none, theirs.

    `last` is the place of the last phase in which it is changed, `ended` that of the next.
    """
    seen: list[float] = []

    def look(game: Game) -> Steps[bool]:
        seen.append(move(game))
        return False
        yield

    names = [("players", p) for p in PHASES] + [("horde", p) for p in PHASES]
    names += [("", "end-of-round"), *(("players", p) for p in PHASES)]
    steps = [Step(f"{i}.{turn}.{phase}", phase, look, turn) for i, (turn, phase) in enumerate(names)]
    once = rule(
        "curse",
        when=(
            When(
                moment="phase-began",
                condition=f"phase == '{begins}' and turn == 'players'",
                each="unit where horde(unit)",
                once="battle",
                do=(f"bestow(unit, '{until}', 'state/slow')",),
            ),
        ),
    )
    stands = [marines("a", at=[(10.0, 10.0)], rules=("test/curse",)), foes()]
    battle([once, SLOW], stands, *steps)
    first = PHASES.index(begins)
    assert set(seen[:first]) <= {6}
    assert set(seen[first : last + 1]) == {4}
    assert set(seen[last + 1 :]) == (set() if ended is None else {6})


def test_a_state_until_the_next_phase_outlasts_the_steps_of_this_one() -> None:
    steps = [Step(f"players.command.{i}", "command", nothing, "players") for i in (1, 2)]
    game = battle([curse("own command"), SLOW], [*bearers("curse"), foes()], *steps)
    assert move(game) == 4


@pytest.mark.parametrize("until", ["fase", "own", "own fase", "own  turn", "next phase"])
@pytest.mark.parametrize("verb", ["bestow(bearer, '{}', 'state/slow')", "mark(bearer, 'x', True, '{}')"])
def test_a_span_that_never_ends_is_refused(verb: str, until: str) -> None:
    bad = rule("bad", when=(When(moment="phase-began", do=(verb.format(until),)),))
    with pytest.raises(BadData, match="span"):
        Compiled(bad, LANGUAGE).checked()


def test_each_state_of_the_records_is_bestowed_and_is_there() -> None:
    rules = compiled_rules(Library(), LANGUAGE)
    calls = [call for each in rules for reaction in each.reactions for call in reaction.every_verb]
    named = {call.literal(2) for call in calls if call.verb == "bestow"} - {None}
    assert named == {each.rule.id for each in rules if "state" in each.rule.tags}


# by what roll


def table(**more: Any) -> Any:
    """Return a rule with a roll table: a 1 marks the bearer low, a 2 to 4 marks it mid."""
    rows = (
        Outcome(on=(1,), do=("mark(bearer, 'low', rolled)",)),
        Outcome(on=(2, 3, 4), do=("mark(bearer, 'mid', rolled)",)),
    )
    return rule(
        "table", when=(When(moment="phase-began", condition=IN_TURN, roll="chance", table=rows, **more),)
    )


@pytest.mark.parametrize(
    ("die", "add", "need", "low", "mid", "also"),
    [
        (1, 0, 0, 1, 0, 1),
        (2, 0, 0, 0, 2, 2),
        (4, 0, 0, 0, 4, 4),
        (5, 0, 0, 0, 0, 5),
        (1, 1, 0, 0, 2, 2),
        (6, 2, 0, 0, 0, 6),
        (1, -1, 0, 1, 0, 1),
        (2, 0, 3, 0, 0, 0),
        (3, 0, 3, 0, 3, 3),
        (2, 1, 3, 0, 3, 3),
        (3, "-1 if has(bearer, 'INFANTRY') else 0", 3, 0, 0, 0),
    ],
)
def test_a_roll_table_acts_by_its_row(
    die: int, add: int | str, need: int, low: int, mid: int, also: int
) -> None:
    told = table(add=add, need=need, do=("mark(bearer, 'also', rolled)",))
    stands = [marines("a", at=[(10.0, 10.0)], rules=("test/table",)), foes()]
    game = battle([told], stands, *idle("players", "command"), dice={"chance": [die]})
    assert [unit(game, "a").marks.count(key) for key in ("low", "mid", "also")] == [low, mid, also]
    told_need = [event.need for event in game.events if isinstance(event, ev.Rolled)]
    by = -1 if isinstance(add, str) else add
    assert told_need == [need - by if need else 0]


def test_each_thing_has_its_own_roll_where_a_record_says_so() -> None:
    marked = ("mark(unit, 'hit', rolled)",)
    for each_rolls, dice, found in ((True, [3, 5, 6], [0, 5, 6]), (False, [5, 1, 1], [5, 5, 5])):
        storm = When(
            moment="phase-began",
            condition=IN_TURN,
            roll="chance",
            need=4,
            roll_each=each_rolls,
            each="unit where horde(unit)",
            do=marked,
        )
        stands = [marines("a", at=[(10.0, 10.0)], rules=("test/storm",))]
        stands += [foes(name, at=[(10.0 + 5 * i, 30.0)]) for i, name in enumerate("xyz")]
        game = battle(
            [rule("storm", when=(storm,))], stands, *idle("players", "command"), dice={"chance": dice}
        )
        assert [unit(game, name).marks.count("hit") for name in "xyz"] == found
        assert len(rolled(game, "chance")) == (3 if each_rolls else 1)


def test_what_a_table_does_counts_for_the_order_of_rules() -> None:
    harm = When(
        moment="phase-began", roll="chance", table=(Outcome(on=(6,), do=("mortal_wounds(bearer, 1)",)),)
    )
    compiled = Compiled(rule("harm", when=(harm,)), LANGUAGE)
    assert matter_of(compiled.reactions, LANGUAGE).writes == {"table"}


@pytest.mark.parametrize("more", [{"add": 1}, {"need": 2}, {"roll_each": True}])
def test_what_is_said_of_a_roll_needs_one(more: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="roll"):
        When(moment="phase-began", do=("recover(bearer)",), **more)


def test_a_clause_that_does_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="follows"):
        When(moment="phase-began")


# while what is carried

HORN = WeaponFacts(name="horn", attacks="1", skill=3, strength=4, damage="1", item="Horn")
LOUD = rule("loud", wargear=("Horn",), grant=(Grant(ability="stealth", condition="unit == bearer"),))


def test_a_rule_of_wargear_is_in_force_while_a_carrier_lives() -> None:
    """The second of three models carries it; another unit of the datasheet does not."""
    at = [(10.0, 10.0), (12.0, 10.0), (14.0, 10.0)]
    given = {"weapons": (GUN, HORN), "rules": ("test/loud",)}
    with_horn = marines("a", at=at, weapons_of=((0,), (0, 1), (0,)), **given)
    without = marines("b", at=[(20.0, 10.0)], weapons_of=((0,),), **given)
    game = battle([LOUD], [with_horn, without, foes()])
    assert [bool(game.query.has_ability(unit(game, n), "stealth")) for n in "ab"] == [True, False]
    game.log(ev.Destroyed(unit="a", model=0))
    assert game.query.has_ability(unit(game, "a"), "stealth")
    game.log(ev.Destroyed(unit="a", model=1))
    assert not game.query.has_ability(unit(game, "a"), "stealth")


def test_wargear_of_another_part_does_not_count() -> None:
    """The leader carries it, and the ability is the bodyguard's."""
    at = [(10.0, 10.0), (12.0, 10.0)]
    for leader_rules, rules, loud in (((), ("test/loud",), False), (("test/loud",), (), True)):
        stand = marines(
            "a",
            at=at,
            leaders=1,
            weapons=(GUN, HORN),
            weapons_of=((0,), (1,)),
            rules=rules,
            leader_rules=leader_rules,
        )
        game = battle([LOUD], [stand, foes()])
        assert bool(game.query.has_ability(unit(game, "a"), "stealth")) == loud


@pytest.mark.rule("R.A124")
@pytest.mark.parametrize(
    ("rule", "limit"),
    [
        ("DATASHEET.finest-hour", "battle"),
        ("DATASHEET.evade-and-survive", "turn"),
        ("DATASHEET.blessed-icon-of-disease", ""),
        ("DATASHEET.death-from-below", ""),
        ("CORE.RES.7", ""),
    ],
)
def test_how_often_a_record_asks_whether_its_bearer_uses_it(rule: str, limit: str) -> None:
    assert Rulebook(compiled_rules(Library(), LANGUAGE)).limit(rule) == limit


@pytest.mark.rule("R.A121")
def test_a_unit_is_under_the_rule_of_a_clause_that_was_put_on_it() -> None:
    bestows = When(moment="phase-began", do=("bestow(bearer, 'battle', 'state/slow')",), condition=IN_TURN)
    rules = [
        rule("slows", when=(bestows,)),
        rule("slow", state=True, modify=(Modify(number="unit.move", add=-2),)),
    ]
    game = battle(rules, bearers("slows"), *idle("players", "movement"))
    a = unit(game, "a")
    assert game.rulebook.is_bestowed(a, "TEST.slow")
    assert not game.rulebook.is_bestowed(a, "TEST.slows")


@pytest.mark.rule("DATASHEET.chapter-master-of-the-raven-guard")
def test_a_rule_takes_one_core_ability_from_a_unit_printed_or_granted() -> None:
    bare = rule(
        "bare", forbid=(Ask(question="have-ability", condition="unit == bearer and what == 'scouts'"),)
    )
    gift = rule("gift", grant=(Grant(ability='scouts 6"', condition="unit == bearer"),))
    printed = marines("a", abilities=('scouts 6"', "stealth"), rules=("test/bare",))
    granted = marines("b", at=[(14.0, 10.0)], rules=("test/bare", "test/gift"))
    other = marines("c", at=[(18.0, 10.0)], rules=("test/gift",))
    game = battle([bare, gift], [printed, granted, other, foes()], *idle("players", "movement"))
    has = [bool(game.query.has_ability(unit(game, name), "scouts")) for name in ("a", "b", "c")]
    assert has == [False, False, True]
    assert game.query.has_ability(unit(game, "a"), "stealth") == "stealth"
