"""When records of abilities act, and what they do."""

from __future__ import annotations

from typing import Any

import pytest

from ai.agents import agent
from ai.reckoning.reroll import falls_short
from datasheets.rule import Ask, Pick, When
from engine.core import event as ev
from engine.core.facts import WeaponFacts
from engine.core.game import Game
from engine.core.request import Choose, Chosen, Moves, Places, Said, Splits, Steps, YesNo
from engine.core.ruleset import Step
from engine.w40k.phase import charge, fight, movement, shooting
from engine.w40k.view import View
from tests.engine.abilities import BLADE, GUN, PHASES, battle, foes, idle, marines, rule, unit
from tests.engine.offering import LIBRARY, rolled

SHOOT = Step("players.shooting", "shooting", shooting.shooting, "players")
CHARGE = Step("players.charge", "charge", charge.charge, "players")
MOVE = Step("players.movement", "movement", movement.movement, "players")


def told(game: Game, *keys: str) -> list[str]:
    """Return, in order, these marks, when targets were declared and when attacks were made."""
    found = []
    for event in game.events:
        if isinstance(event, ev.Marked) and event.key in keys:
            found.append(event.key)
        elif isinstance(event, ev.Targeted | ev.Attacked):
            found.append(event.kind)
    return found


def at(moment: str, key: str, verb: str = "mark(bearer, '{}')") -> When:
    """Return a clause that marks its bearer when its own unit has that moment."""
    return When(moment=moment, condition="unit == bearer", do=(verb.format(key),))


def first_shot(game: Game) -> Splits:
    """Shoot with the first line that is offered at its first target."""
    line = game.pending.lines[0]  # type: ignore[union-attr]
    return Splits(shots=(ev.Shot(model=line.model, weapon=line.weapon, target=line.targets[0]),))


WATCH = rule("watch", when=(at("selected-to-shoot", "selected"), at("shot", "done")))


@pytest.mark.rule("CORE.SHOOT.1", "CORE.SHOOT.3")
def test_a_unit_is_selected_before_targets_are_and_has_shot_after_all_attacks() -> None:
    stands = [marines(rules=("test/watch",)), marines("others", at=[(20.0, 8.0)]), foes()]
    answers = {"next-unit": lambda game: game.pending.options[0].id, "shoot": first_shot}
    game = battle([WATCH], stands, SHOOT, answers=answers)
    assert told(game, "selected", "done") == [
        *("selected", "targeted", "attacked", "done"),
        *("targeted", "attacked"),
    ]


@pytest.mark.rule("CORE.STR.8")
def test_who_shoots_out_of_turn_is_selected_and_has_shot_too() -> None:
    def overwatch(game: Game) -> Steps[bool]:
        yield from shooting.shoot(game, unit(game, "marines"), unit(game, "foes"))
        return False

    step = Step("horde.movement", "movement", overwatch, "horde")
    game = battle([WATCH], [marines(rules=("test/watch",)), foes()], step, answers={"shoot": first_shot})
    assert told(game, "selected", "done") == ["selected", "targeted", "attacked", "done"]


@pytest.mark.rule("CORE.FGT.2", "CORE.FGT.6")
def test_a_unit_is_selected_to_fight_and_has_struck_after_all_attacks() -> None:
    def fights(game: Game) -> Steps[bool]:
        yield from fight.fight_with(game, unit(game, "marines"))
        return False

    watch = rule("watch", when=(at("selected-to-fight", "selected"), at("struck", "done")))
    stands = [
        marines(at=[(30.0, 20.0)], rules=("test/watch",)),
        foes(at=[(31.3, 20.0)], characteristics=(("W", 9),)),
    ]
    step = Step("players.fight", "fight", fights, "players")
    answers = {"fight": first_shot, "pile-in": Moves(), "consolidate": Moves()}
    game = battle([watch], stands, step, answers=answers)
    assert told(game, "selected", "done") == ["selected", "targeted", "attacked", "done"]


def test_the_horde_picks_among_the_units_that_it_hit() -> None:
    """Its ability is a choice, which it answers by itself."""
    pick = Pick(name="foe", of="unit where player(unit) and was_hit(unit)", count=0, most=1, prompt="Whom?")
    curse = rule("curse", when=(When(moment="shot", pick=(pick,), do=("mark(foe, 'cursed')",)),))
    gun = WeaponFacts(name="gun", range=24.0, attacks="1", skill=2, strength=1, damage="1")
    stands = [
        foes(at=[(30.0, 30.0)], weapons=(gun,), rules=("test/curse",)),
        *(marines(f"m{i}", at=[(26.0 + 4 * i, 12.0)]) for i in range(3)),
    ]
    answers: dict[str, Any] = {
        "next-unit": "foes",
        "shoot": lambda game: agent("horde").answer(View(game, "horde"), game.pending),
        "target": lambda game: agent("horde").answer(View(game, "horde"), game.pending),
    }
    step = Step("horde.shooting", "shooting", shooting.shooting, "horde")
    game = battle([curse], stands, step, answers=answers, dice={"hit": [6], "wound": [1]})
    (made,) = [event for event in game.events if isinstance(event, ev.Attacked)]
    cursed = [f"m{i}" for i in range(3) if "cursed" in unit(game, f"m{i}").marks]
    assert cursed == [made.target]


# tests, heals, returns


def acting(*verbs: str, **more: Any) -> tuple[Any, Step]:
    """Return a rule with verbs as the players' Command phase begins, and a step of that phase."""
    when = When(moment="phase-began", condition="turn == 'players'", do=verbs, **more)
    return rule("acts", when=(when,)), idle("players", "command")[0]


@pytest.mark.rule("CORE.BS.1")
@pytest.mark.parametrize(
    ("modifier", "dice", "shocked"),
    [(0, [3, 4], False), (-1, [3, 4], True), (-1, [4, 4], False), (1, [3, 3], False), (0, [3, 3], True)],
)
def test_a_unit_takes_a_battle_shock_test_with_a_modifier(
    modifier: int, dice: list[int], shocked: bool
) -> None:
    """Its Leadership is 7; a unit that is not there takes none."""
    made, step = acting(f"battle_shock_test(unit, {modifier})", each="unit where horde(unit)")
    stands = [marines(rules=("test/acts",)), foes(), foes("away", where="reserves")]
    game = battle([made], stands, step, dice={"battle-shock": dice})
    assert ("battle-shocked" in unit(game, "foes").marks) == shocked
    assert rolled(game, "battle-shock") == [tuple(dice)]


@pytest.mark.rule("CORE.BS.1")
def test_a_shocked_unit_takes_the_test_and_is_not_shocked_anew() -> None:
    made, step = acting("battle_shock_test(bearer, 0)")
    stands = [marines(rules=("test/acts",), marks=(("battle-shocked", True),)), foes()]
    game = battle([made], stands, step, dice={"battle-shock": [1, 1]})
    assert len(rolled(game, "battle-shock")) == 1
    assert not [event for event in game.events if isinstance(event, ev.Shocked)]


def before(wounds: dict[int, int]) -> Step:
    """Return a step of the Horde's in which models come to have some wounds left; 0 destroys."""

    def hurt(game: Game) -> Steps[bool]:
        for row, left in wounds.items():
            model = game.state.position.models[row]
            if left:
                game.log(ev.Damaged(unit=model.unit, model=row, amount=model.wounds - left, wounds=left))
            else:
                game.log(ev.Destroyed(unit=model.unit, model=row))
        return False
        yield

    return Step("horde.fight", "fight", hurt, "horde")


def squad(count: int, **more: Any) -> Any:
    """Return a unit of models with 3 wounds each, in a row, that bears the rule at hand."""
    places = [(10.0 + 1.5 * i, 10.0) for i in range(count)]
    return marines("a", at=places, **{"characteristics": (("W", 3),), "rules": ("test/acts",), **more})


def wounds(game: Game, count: int) -> list[int]:
    """Return the wounds left of the first models."""
    return [game.state.position.models[row].wounds for row in range(count)]


@pytest.mark.parametrize(
    ("verb", "dice", "left"),
    [
        ("heal(bearer, 1)", [], [2, 1, 1]),
        ("heal(bearer, 3)", [], [3, 2, 1]),
        ("heal(bearer, 99)", [], [3, 3, 3]),
        ("heal(bearer, 'D3')", [2], [3, 1, 1]),
        ("heal(bearer, 99, own_part)", [], [3, 3, 1]),
    ],
)
def test_models_regain_wounds_up_to_those_that_they_had(verb: str, dice: list[int], left: list[int]) -> None:
    """The third is the leader, the ability the bodyguard's."""
    made, step = acting(verb)
    stands = [squad(3, leaders=1), foes()]
    game = battle([made], stands, before({0: 1, 1: 1, 2: 1}), step, dice={"heal": dice})
    assert wounds(game, 3) == left


def test_who_has_lost_nothing_rolls_no_dice_to_heal() -> None:
    made, step = acting("heal(bearer, 'D3')")
    assert rolled(battle([made], [squad(2), foes()], step), "heal") == []


def comes_back(game: Game) -> Places:
    """Set a model up as the players' autopilot does."""
    return agent("steady").answer(View(game, "p1"), game.pending)  # type: ignore[return-value,arg-type]


@pytest.mark.rule("CORE.RES.8")
@pytest.mark.parametrize(
    ("verb", "gone", "left"),
    [
        ("return_models(bearer, 1)", (1, 2, 3), [3, 3, 0, 0]),
        ("return_models(bearer, 'D3')", (1, 2, 3), [3, 3, 0, 0]),
        ("return_models(bearer, 9)", (1, 2, 3), [3, 3, 3, 0]),
        ("return_models(bearer, 9)", (1,), [3, 3, 3, 3]),
        ("return_models(bearer, 9, 'CHARACTER')", (1, 2), [3, 0, 0, 3]),
        ("return_models(bearer, 9, 'A')", (1, 2), [3, 3, 3, 3]),
        ("return_models(bearer, 9)", (0, 1, 2, 3), [0, 0, 0, 0]),
    ],
)
def test_destroyed_models_return_but_leaders_do_not(
    verb: str, gone: tuple[int, ...], left: list[int]
) -> None:
    """The fourth is the leader; whole units do not return."""
    made, step = acting(verb)
    game = battle(
        [made],
        [squad(4, leaders=1), foes()],
        before(dict.fromkeys(gone, 0)),
        step,
        dice={"return": [1]},
        answers={"return": comes_back},
    )
    assert wounds(game, 4) == left


# what units may do

AGAIN = rule("again", permit=(Ask(question="reroll-charge", condition="unit == bearer"),))


@pytest.mark.rule("CORE.CHG.2", "CORE.DICE.1", "R.A102")
@pytest.mark.parametrize("may", [False, True])
@pytest.mark.parametrize(("dice", "short"), [([2, 4], True), ([3, 4], False)])
def test_a_charge_may_be_rolled_again_where_a_rule_permits(may: bool, dice: list[int], short: bool) -> None:
    """A gap of 8 inches needs a 7; both agents roll again below that."""
    asked: list[YesNo] = []

    def decide(game: Game) -> Said:
        assert isinstance(game.pending, YesNo)
        asked.append(game.pending)
        return Said(yes=True)

    stands = [
        marines(at=[(10.0, 20.0)], rules=("test/again",) if may else ()),
        foes(at=[(10.0 + 32 / 25.4 + 8.0, 20.0)]),
    ]
    answers = {"next-unit": "marines", "charge": "foes", "reroll": decide, "path": Moves()}
    game = battle([AGAIN], stands, CHARGE, answers=answers, dice={"charge": dice})
    assert [(each.rolled, each.need, falls_short(each)) for each in asked] == (
        [(sum(dice), 7, short)] if may else []
    )
    assert len([event for event in game.events if isinstance(event, ev.Rolled)]) == 1 + len(asked)


@pytest.mark.rule("R.A102")
def test_the_horde_rolls_again_what_falls_short() -> None:
    stands = [
        foes(at=[(10.0, 20.0)], rules=("test/again",)),
        marines(at=[(10.0 + 32 / 25.4 + 8.0, 20.0)]),
    ]
    step = Step("horde.charge", "charge", charge.charge, "horde")
    for dice, again in (([1, 1], True), ([4, 4], False)):
        answers = {
            "next-unit": "foes",
            "charge": "marines",
            "reroll": lambda game: agent("horde").answer(View(game, "horde"), game.pending),
            "path": Moves(),
        }
        game = battle([AGAIN], stands, step, answers=answers, dice={"charge": dice})
        kinds = [event.roll for event in game.events if isinstance(event, ev.Rolled)]
        assert len(kinds) == (2 if again else 1)


def forbidden(question: str, condition: str = "unit == bearer") -> Any:
    """Return a rule that forbids something."""
    return rule("bars", forbid=(Ask(question=question, condition=condition),))


@pytest.mark.rule("CORE.CHG.1")
@pytest.mark.parametrize("barred", [False, True])
def test_who_may_not_charge_is_not_asked_to(barred: bool) -> None:
    stands = [marines(at=[(30.0, 20.0)], rules=("test/bars",) if barred else ()), foes(at=[(30.0, 26.0)])]
    asked: list[str] = []

    def charges(game: Game) -> Chosen:
        asked.append(game.pending.unit)  # type: ignore[union-attr]
        return Chosen(ids=())

    answers = {"next-unit": "marines", "charge": charges}
    battle([forbidden("declare-charge")], stands, CHARGE, answers=answers)
    assert asked == ([] if barred else ["marines"])


@pytest.mark.rule("CORE.MOVE.1", "CORE.MOVE.6")
@pytest.mark.parametrize("barred", [False, True])
def test_who_may_not_advance_is_not_offered_it(barred: bool) -> None:
    offered: list[list[str]] = []

    def moves(game: Game) -> Chosen:
        assert isinstance(game.pending, Choose)
        offered.append([option.id for option in game.pending.options])
        return Chosen(ids=("remain-stationary",))

    stands = [marines(rules=("test/bars",) if barred else ()), foes()]
    answers = {"next-unit": "marines", "move": moves}
    battle([forbidden("advance")], stands, MOVE, answers=answers)
    assert [("advance" in each, "normal-move" in each) for each in offered] == [(not barred, True)]


@pytest.mark.rule("CORE.SHOOT.2")
@pytest.mark.parametrize(("inches", "targets"), [(17.9, ("near",)), (18.0, ("guarded", "near"))])
def test_who_may_not_be_targeted_is_no_target(inches: float, targets: tuple[str, ...]) -> None:
    """The shooter is 18 inches from the one with the rule; the other has none."""
    far = forbidden("be-targeted", f"target == bearer and distance(attacker, bearer) > {inches}")
    stands = [
        marines(at=[(30.0, 8.0)], weapons=(GUN, BLADE)),
        foes("guarded", at=[(30.0, 8.0 + 32 / 25.4 + 18.0)], rules=("test/bars",)),
        foes("near", at=[(36.0, 20.0)]),
    ]
    seen: list[tuple[str, ...]] = []

    def shoots(game: Game) -> Splits:
        seen.extend(line.targets for line in game.pending.lines)  # type: ignore[union-attr]
        return Splits()

    battle([far], stands, SHOOT, answers={"next-unit": "marines", "shoot": shoots})
    assert [tuple(sorted(each)) for each in seen] == [targets]


@pytest.mark.rule("CORE.TRN.3")
@pytest.mark.parametrize(("marks", "may"), [((), False), ((("disembarked-from", "tank"),), True)])
def test_who_left_a_certain_transport_may_still_charge(marks: tuple[tuple[str, str], ...], may: bool) -> None:
    ramp = Ask(question="charge-after-disembark", condition="disembarked_from(unit, bearer)")
    stands = [
        marines(at=[(30.0, 20.0)], marks=(("disembarked", "after"), *marks)),
        marines("tank", at=[(5.0, 5.0)], rules=("test/ramp",)),
        foes(at=[(30.0, 26.0)]),
    ]
    game = battle([rule("ramp", permit=(ramp,))], stands)
    found = charge.targets(game, unit(game, "marines"))
    assert [each.id for each in found] == (["foes"] if may else [])


# records of the Death Guard


@pytest.mark.rule("DATASHEET.grotesque-regeneration")
def test_a_beast_of_nurgle_is_whole_again_as_a_phase_ends() -> None:
    beast = foes(characteristics=(("W", 7),), rules=("datasheet/grotesque-regeneration",))
    game = battle(shipped(), [beast, marines()], before({0: 2}))
    assert game.state.position.models[0].wounds == 7


def shipped() -> list[Any]:
    """Return the records of abilities and states that are shipped."""
    return [each for each in LIBRARY.rules() if each.id.startswith(("datasheet/", "state/"))]


@pytest.mark.rule("DATASHEET.nurgles-rot-psychic")
@pytest.mark.parametrize(("again", "toughness"), [(False, 3), (True, 4)])
def test_nurgles_rot_weakens_an_enemy_until_the_next_movement_phase(again: bool, toughness: int) -> None:
    """In the second the Horde declines."""
    answers = iter([("marines",), ()])
    stands = [foes(at=[(30.0, 18.0)], rules=("datasheet/nurgles-rot-psychic",)), marines()]
    steps = [*idle("horde", "movement"), *idle("players", *PHASES)]
    steps += idle("horde", "command", "movement") if again else ()
    game = battle(shipped(), stands, *steps, answers={"target": lambda game: Chosen(ids=next(answers))})
    about = {"unit": unit(game, "marines"), "model": game.state.position.models[1]}
    assert game.query.number("model.toughness", 4, **about).value == toughness


@pytest.mark.rule("DATASHEET.inflamed-infections")
def test_two_surgeons_may_inflame_one_enemy() -> None:
    """The state names its giver: each hits on better dice, and others do not."""
    stands = [
        *(
            foes(name, at=[at], rules=("datasheet/inflamed-infections",), keywords=("PLAGUE SURGEON",))
            for name, at in (("a", (28.7, 20.0)), ("b", (31.3, 20.0)))
        ),
        foes("c", at=[(30.0, 21.3)], keywords=("PLAGUE SURGEON",)),
        marines(at=[(30.0, 20.0)]),
    ]
    found: list[float] = []

    def look(game: Game) -> Steps[bool]:
        for name in "abc":
            bearer = unit(game, name)
            about = {
                "attacker": bearer,
                "target": unit(game, "marines"),
                "model": game.state.position.models[bearer.rows[0]],
            }
            found.append(game.query.number("attack.critical-hit", 6, **about).value)
        return False
        yield

    step = Step("horde.fight", "fight", look, "horde")
    battle(shipped(), stands, step, answers={"target": "marines"})
    assert found == [5, 5, 6]
