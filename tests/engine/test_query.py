"""Numbers, permissions and grants under the rules in force, each clause with its card."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from datasheets.errors import BadData
from datasheets.library import Library
from datasheets.rule import Modify, Rule
from engine.core.event import Gained, Marked, Removed
from engine.core.facts import WeaponFacts
from engine.core.game import Game
from engine.horde.language import LANGUAGE
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.records.clauses import ATTACKS
from engine.records.compiled import Compiled
from engine.records.expression import SHEET
from engine.records.rulebook import Rulebook
from engine.scenario.situation import Stand
from engine.w40k.attack.cover import cover
from engine.w40k.view import View
from engine.w40k.words import measures

Play = Callable[..., Game]
Make = Callable[..., Stand]


def attack(game: Game, by: str = "foes", at: str = "marines", *, melee: bool = False) -> dict[str, object]:
    """Return the context of an attack."""
    units = game.state.position.units
    weapon = units[by].weapon(1 if melee else 0)
    model = game.state.position.models[units[by].rows[0]]
    return {"attacker": units[by], "target": units[at], "weapon": weapon, "melee": melee, "model": model}


def test_a_number_that_no_rule_concerns_is_its_base(play: Play, marines: Make) -> None:
    """Nothing in force: the value is the base, and the trail has no steps."""
    game = play([marines()])
    number = game.query.number("unit.move", 6, unit=game.state.position.units["marines"])
    assert number.value == 6
    assert number.trail.steps == ()


@pytest.mark.rule("MISERY.2")
def test_grudge_match_adds_one_to_hit_and_wound_of_the_horde(play: Play, marines: Make, foes: Make) -> None:
    """The Horde's attacks only."""
    game = play([marines(), foes()], active=["MISERY.2"])
    assert game.query.number("attack.hit-modifier", 0, **attack(game)).value == 1
    assert game.query.number("attack.wound-modifier", 0, **attack(game)).value == 1
    assert game.query.number("attack.hit-modifier", 0, **attack(game, "marines", "foes")).value == 0


@pytest.mark.rule("CORE.DICE.3", "MISERY.2")
@pytest.mark.parametrize(("base", "expected"), [(-2, -1), (-1, 0), (0, 1), (1, 1), (3, 1)])
def test_hit_modifiers_are_capped_in_total(
    play: Play, marines: Make, foes: Make, base: int, expected: int
) -> None:
    """+1 on what the attack has already, never beyond one either way."""
    game = play([marines(), foes()], active=["MISERY.2"])
    assert game.query.number("attack.hit-modifier", base, **attack(game)).value == expected


@pytest.mark.rule("CORE.DICE.3")
def test_the_cap_holds_without_any_rule(play: Play, marines: Make, foes: Make) -> None:
    """Stealth and firing blindly are -1 together."""
    game = play([marines(), foes()])
    assert game.query.number("attack.hit-modifier", -2, **attack(game)).value == -1


@pytest.mark.rule("MISERY.3", "MISERY.27", "CORE.DICE.5")
def test_ap_improves_downwards_and_never_worsens_above_0(play: Play, marines: Make, foes: Make) -> None:
    """Rip and Tear for the Horde's attacks, Chitinous Growths against attacks on it."""
    game = play([marines(), foes()], active=["MISERY.3", "MISERY.27"])
    assert game.query.number("weapon.ap", -1, **attack(game)).value == -2
    ours = attack(game, "marines", "foes")
    assert game.query.number("weapon.ap", -1, **ours).value == 0
    assert game.query.number("weapon.ap", 0, **ours).value == 0


@pytest.mark.rule("CORE.DICE.5")
def test_a_number_is_replaced_then_multiplied_then_added_to(play: Play, marines: Make) -> None:
    """6 set to 3, twice as much, and 1 more is 7, in whatever order the rules came into force."""
    changes = {"more": {"add": 1}, "twice": {"multiply": 2}, "other": {"set": 3}}
    rules = [
        Rule(
            id=f"test/{name}",
            clause=f"TEST.{name}",
            name=name,
            source="",
            summary="",
            modify=(Modify(number="unit.move", **change),),
        )
        for name, change in changes.items()
    ]
    book = Rulebook(tuple(Compiled(rule, LANGUAGE).checked() for rule in rules))
    game = play([marines()], rulebook=book, active=[rule.id for rule in rules])
    number = game.query.number("unit.move", 6, unit=game.state.position.units["marines"])
    assert number.value == 7
    assert [rule for rule, _ in number.trail.steps] == ["TEST.other", "TEST.twice", "TEST.more"]


@pytest.mark.rule("CORE.WPN.PSY")
@pytest.mark.parametrize(("words", "ap"), [((), 0), (("psychic",), -1)])
def test_rules_may_ask_whether_an_attack_is_psychic(
    play: Play, marines: Make, foes: Make, words: tuple[str, ...], ap: int
) -> None:
    change = Modify(number="weapon.ap", improve=1, condition="weapon_has(weapon, 'psychic')")
    named = {"id": "test/hex", "clause": "TEST.hex", "name": "hex", "source": "", "summary": ""}
    rule = Rule(modify=(change,), **named)
    bolt = WeaponFacts(name="bolt", range=24.0, skill=3, keywords=words)
    game = play(
        [marines(), foes(weapons=(bolt,))],
        rulebook=Rulebook((Compiled(rule, LANGUAGE).checked(),)),
        active=["test/hex"],
    )
    assert game.query.number("weapon.ap", 0, **attack(game)).value == ap


@pytest.mark.rule("MISERY.3")
def test_the_trail_names_what_changed_the_number(play: Play, marines: Make, foes: Make) -> None:
    """Base, then each clause with the value after it."""
    game = play([marines(), foes()], active=["MISERY.3"])
    trail = game.query.number("weapon.ap", -1, **attack(game)).trail
    assert (trail.base, trail.value, trail.steps) == (-1, -2, (("MISERY.3", -2.0),))


@pytest.mark.rule("MISERY.5")
def test_untouchable_gives_3_up_but_takes_no_better_save(play: Play, marines: Make, foes: Make) -> None:
    """A 2+ invulnerable save stays."""
    game = play([marines(), foes()], active=["MISERY.5"])
    about = {"unit": game.state.position.units["foes"]}
    assert game.query.number("model.invulnerable", 7, **about).value == 3
    assert game.query.number("model.invulnerable", 2, **about).value == 2
    assert game.query.number("model.invulnerable", 7, unit=game.state.position.units["marines"]).value == 7


@pytest.mark.rule("MISERY.31")
@pytest.mark.parametrize(("y", "melee", "least"), [(18.0, False, 6), (20.0, False, 0), (18.0, True, 0)])
def test_debris_storm_asks_for_sixes_from_afar(
    play: Play, marines: Make, foes: Make, y: float, melee: bool, least: int
) -> None:
    """Only shots from more than 12 inches, base to base: 32 mm bases 14 or 10.7 apart."""
    game = play([marines(at=[(30.0, y - 12.0)]), foes(at=[(30.0, 20.0)])], active=["MISERY.31"])
    ours = attack(game, "marines", "foes", melee=melee)
    near = y == 20.0
    distance = measures.distance(
        game, game.state.position.units["marines"], game.state.position.units["foes"]
    )
    assert (distance <= 12) == near
    assert game.query.number("attack.minimum-hit", 0, **ours).value == least


@pytest.mark.rule("MISERY.32")
def test_glowing_eyes_rerolls_every_hit_roll_of_the_horde(play: Play, marines: Make, foes: Make) -> None:
    """All failures, not ones only."""
    game = play([marines(), foes()], active=["MISERY.32"])
    assert game.query.number("attack.reroll-hit", 0, **attack(game)).value == 2
    assert game.query.number("attack.reroll-hit", 0, **attack(game, "marines", "foes")).value == 0


@pytest.mark.rule("MISERY.1")
def test_unnatural_stamina_lets_the_horde_shoot_and_charge_after_advancing(
    play: Play, marines: Make, foes: Make
) -> None:
    """Not the players."""
    game = play([marines(), foes()], active=["MISERY.1"])
    for question in ("shoot-after-advance", "charge-after-advance"):
        assert game.query.may(question, unit=game.state.position.units["foes"])
        assert not game.query.may(question, unit=game.state.position.units["marines"])


@pytest.mark.rule("MISERY.9", "MISERY.23")
def test_shockwave_and_mind_killer_concern_player_units(play: Play, marines: Make, foes: Make) -> None:
    """They fail, and all of them test."""
    game = play([marines(), foes()], active=["MISERY.9", "MISERY.23"])
    units = game.state.position.units
    for question in ("battle-shock-auto-fail", "battle-shock-everyone"):
        assert game.query.may(question, unit=units["marines"])
        assert not game.query.may(question, unit=units["foes"])


@pytest.mark.rule("MISERY.21", "MISERY.22", "MISERY.23", "MISERY.29")
@pytest.mark.parametrize(
    ("card", "barred"),
    [
        ("MISERY.21", {"Fortify"}),
        ("MISERY.22", {"Supply", "Spawn", "Strike"}),
        ("MISERY.23", {"Tactics"}),
        ("MISERY.29", {"Secondary"}),
    ],
)
def test_cards_that_bar_purchases_bar_their_tags(
    play: Play, marines: Make, card: str, barred: set[str]
) -> None:
    """Every purchase with a barred tag, and no other."""
    game = play([marines()], active=[card])
    purchases = [rule for rule in game.rulebook.rules if rule.tags[:1] == ("buy",)]
    assert len(purchases) == 25
    for rule in purchases:
        allowed = game.query.may("buy", purchase=rule, player="p1")
        assert allowed == (not barred & set(rule.tags)), rule.id


@pytest.mark.rule("MISERY.22")
def test_comms_jammed_bars_stratagems_that_are_free_and_cp_for_whatever(play: Play, marines: Make) -> None:
    game = play([marines()], active=["MISERY.22"])
    assert not game.query.may("use-stratagems", player="p1")
    assert not game.query.may("spend-cp", player="p1")


@pytest.mark.rule("MISERY.24", "S.B06")
def test_sellers_market_doubles_prices(play: Play, marines: Make) -> None:
    """Twice the SP."""
    game = play([marines()], active=["MISERY.24"])
    rule = game.rulebook.rule("buy/air-strike")
    assert game.query.number("buy.price", 3, purchase=rule, player="p1").value == 6


@pytest.mark.rule("MISERY.16", "MISERY.17", "MISERY.25", "MISERY.26")
def test_weapon_abilities_are_granted_to_the_horde(play: Play, marines: Make, foes: Make) -> None:
    """To ranged weapons only where the card says so; a melta weapon gets no Melta 1."""
    melta = WeaponFacts(name="melta", range=12.0, skill=3, keywords=("melta 2",))
    blade = WeaponFacts(name="blade", skill=3)
    game = play(
        [marines(), foes(weapons=(melta, blade, WeaponFacts(name="gun", range=24.0, skill=3)))],
        active=["MISERY.16", "MISERY.17", "MISERY.25", "MISERY.26"],
    )
    foe = game.state.position.units["foes"]
    both = {"devastating wounds", "sustained hits 1", "lethal hits"}
    ranged = both | {"precision"}
    assert set(game.query.weapon_keywords(foe, foe.rows[0], 0)) == ranged | {"melta 2"}
    assert set(game.query.weapon_keywords(foe, foe.rows[0], 1)) == both
    assert set(game.query.weapon_keywords(foe, foe.rows[0], 2)) == ranged | {"melta 1"}
    own = game.state.position.units["marines"]
    assert game.query.weapon_keywords(own, own.rows[0], 0) == ()


@pytest.mark.rule("MISERY.17")
def test_a_printed_ability_is_not_had_twice(play: Play, foes: Make) -> None:
    """Sustained Hits 2 stays what it is."""
    gun = WeaponFacts(name="gun", range=24.0, skill=3, keywords=("sustained hits 2",))
    game = play([foes(weapons=(gun,))], active=["MISERY.17"])
    foe = game.state.position.units["foes"]
    assert game.query.weapon_keywords(foe, foe.rows[0], 0) == ("sustained hits 2", "lethal hits")


@pytest.mark.rule("MISERY.19")
def test_fog_of_war_gives_stealth_and_cover(play: Play, marines: Make, foes: Make) -> None:
    """To every Horde unit."""
    game = play([marines(), foes()], active=["MISERY.19"])
    assert game.query.has_ability(game.state.position.units["foes"], "stealth")
    assert game.query.has_ability(game.state.position.units["foes"], "cover")
    assert not game.query.has_ability(game.state.position.units["marines"], "stealth")


def test_a_core_ability_must_be_printed_on_every_part(play: Play, marines: Make) -> None:
    """An attached unit scouts only if all of it does; the number comes with it."""
    alone = marines(abilities=("scouts 6",))
    led = marines("led", at=[(20.0, 8.0), (21.5, 8.0)], leaders=1, abilities=("scouts 6",))
    game = play([alone, led])
    assert game.query.has_ability(game.state.position.units["marines"], "scouts") == "scouts 6"
    assert game.query.has_ability(game.state.position.units["led"], "scouts") == "scouts 6"
    assert game.query.has_ability(game.state.position.units["led"], "stealth") == ""


@pytest.mark.rule("MISERY.28", "S.A31")
def test_they_fly_now_gives_fly_and_sight_through_terrain(play: Play, marines: Make, foes: Make) -> None:
    """The ruin between hides the players' view, not the Horde's."""
    stands = [marines(at=[(21.0, 12.0)]), foes(at=[(21.0, 24.0)])]
    hidden, flying = play(stands), play(stands, active=["MISERY.28"])
    for game, sees in ((hidden, False), (flying, True)):
        units = game.state.position.units
        assert game.field.has(units["foes"], "FLY") == sees
        assert bool(game.field.visible(units["foes"], units["marines"]).any()) == sees
        assert not game.field.visible(units["marines"], units["foes"]).any()


@pytest.mark.rule("FACTION.death-guard", "R.A93")
@pytest.mark.parametrize(("gap", "expected"), [(6.0, 3), (6.01, 4)])
def test_death_guard_lower_toughness_within_6_once(
    play: Play, marines: Make, foes: Make, gap: float, expected: int
) -> None:
    """Two units near are still -1; a little more than 6 inches is out of it."""
    apart = gap + 32 / 25.4
    stands = [
        marines(at=[(30.0, 20.0)]),
        foes("a", at=[(30.0, 20.0 + apart)]),
        foes("b", at=[(30.0, 20.0 - apart)]),
    ]
    game = play(stands, factions=("death-guard",))
    unit = game.state.position.units["marines"]
    assert game.query.number("model.toughness", 4, unit=unit, target=unit).value == expected


@pytest.mark.rule("FACTION.death-guard")
def test_a_rule_of_a_faction_that_is_not_the_horde_is_not_in_force(
    play: Play, marines: Make, foes: Make
) -> None:
    """Death Guard keywords alone do nothing."""
    game = play([marines(at=[(30.0, 28.0)]), foes()], factions=("tyranids",))
    unit = game.state.position.units["marines"]
    assert game.query.number("model.toughness", 4, unit=unit, target=unit).value == 4


@pytest.mark.rule("FACTION.tyranids")
def test_tyranids_test_on_three_dice_and_hit_harder(play: Play, marines: Make, foes: Make) -> None:
    """Strength in melee only."""
    game = play([marines(), foes(keywords=("INFANTRY", "TYRANIDS"))], factions=("tyranids",))
    units = game.state.position.units
    assert game.query.number("unit.battle-shock-dice", 2, unit=units["foes"]).value == 3
    assert game.query.number("unit.battle-shock-dice", 2, unit=units["marines"]).value == 2
    assert game.query.number("weapon.strength", 4, **attack(game, melee=True)).value == 5
    assert game.query.number("weapon.strength", 4, **attack(game)).value == 4


@pytest.mark.rule("FACTION.space-marines", "FACTION.necrons", "FACTION.aeldari", "FACTION.chaos-daemons")
@pytest.mark.parametrize(
    ("faction", "keyword", "number", "base", "ranged", "melee"),
    [
        ("space-marines", "ADEPTUS ASTARTES", "attack.reroll-hit", 0, 1, 1),
        ("aeldari", "AELDARI", "weapon.ap", -1, -2, -1),
        ("drukhari", "DRUKHARI", "weapon.ap", -1, -1, -2),
        ("adeptus-mechanicus", "ADEPTUS MECHANICUS", "weapon.skill", 4, 3, 4),
        ("chaos-space-marines", "HERETIC ASTARTES", "weapon.attacks-modifier", 0, 0, 1),
    ],
)
def test_faction_rules_change_what_they_say(
    play: Play,
    marines: Make,
    foes: Make,
    faction: str,
    keyword: str,
    number: str,
    base: int,
    ranged: int,
    melee: int,
) -> None:
    """Each in shooting and in the fight, by a unit that charged."""
    stands = [marines(), foes(keywords=("INFANTRY", keyword), marks=(("charged", True),))]
    game = play(stands, factions=(faction,))
    assert game.query.number(number, base, **attack(game)).value == ranged
    assert game.query.number(number, base, **attack(game, melee=True)).value == melee


@pytest.mark.rule("CORE.DICE.5")
def test_characteristics_have_floors(play: Play, marines: Make, foes: Make) -> None:
    """Toughness never below 1, a skill never better than 2+."""
    game = play([marines(at=[(30.0, 28.0)]), foes()], factions=("death-guard", "adeptus-mechanicus"))
    unit = game.state.position.units["marines"]
    assert game.query.number("model.toughness", 1, unit=unit, target=unit).value == 1
    mechanicus = play([marines(), foes(keywords=("ADEPTUS MECHANICUS",))], factions=("adeptus-mechanicus",))
    assert mechanicus.query.number("weapon.skill", 2, **attack(mechanicus)).value == 2


@pytest.mark.rule("BUY.jamming-station", "BUY.fortified")
def test_what_is_in_force_follows_the_events(play: Play, marines: Make) -> None:
    """A jamming station works while it is there."""
    game = play([marines(at=[(10.0, 20.0)])])
    west = game.state.position.objectives["west"]
    west.by = "players"
    assert game.query.number("spawn.modifier", 0, zone="s1", first=False).value == 0
    game.log(Marked(on="objective:west", key="fortified", value="buy/jamming-station"))
    assert game.query.number("spawn.modifier", 0, zone="s1", first=False).value == -1
    west.by = "horde"
    assert game.query.number("spawn.modifier", 0, zone="s1", first=False).value == 0
    west.by = "players"
    game.log(Removed(what="objective:west"))
    assert game.query.number("spawn.modifier", 0, zone="s1", first=False).value == 0


@pytest.mark.rule("PLAY.7", "R.A89")
def test_horde_models_in_a_spawning_zone_have_cover(play: Play, marines: Make, foes: Make) -> None:
    """A Horde model has cover where any part of its base is in the zone, from y = 34 on.

    Each model has cover for itself; the players have none.
    """
    stands = [
        marines(at=[(30.0, 20.0), (31.5, 20.0)]),
        foes(at=[(30.0, 33.4), (30.0, 33.3)]),
        marines("ours", at=[(50.0, 36.0)]),
    ]
    game = play(stands)
    units = game.state.position.units
    assert cover(game, units["marines"], units["foes"]).tolist() == [True, False]
    assert cover(game, units["foes"], units["ours"]).tolist() == [False]


def test_a_hook_that_nobody_entered_is_refused(tmp_path: Path) -> None:
    """A call clause names a function that is there."""
    folder = tmp_path / "rules"
    folder.mkdir()
    templates = "ability-templates.toml"
    folder.joinpath(templates).write_text(files("assets").joinpath("rules", templates).read_text())
    folder.joinpath("mine.toml").write_text(
        "[[rule]]\nid = 'a'\nclause = 'A'\nname = 'A'\nsource = ''\nsummary = ''\n"
        "[[rule.call]]\nhook = 'no-such-hook'\nmoment = 'moved'\n"
    )
    with pytest.raises(BadData, match=r"a: call\.0\.hook: There is no hook 'no-such-hook'"):
        Rulebook.load(Library(assets=tmp_path), HORDE_1_1.language)


def test_what_is_known_meanwhile_is_worked_out_anew_once_anything_happens(play: Play, marines: Make) -> None:
    """A seat asks once between two events."""
    game = play([marines()])
    view, found = View(game, "p1"), iter((1, 2))
    assert [view.meanwhile("key", lambda: next(found)) for _ in range(2)] == [1, 1]
    game.log(Gained(player="p1", what="cp", amount=1, total=1))
    assert view.meanwhile("key", lambda: next(found)) == 2


def test_a_number_is_known_by_what_the_rules_look_at_for_it(play: Play, marines: Make, foes: Make) -> None:
    """Grudge Match looks at the attacker, not at its weapon: one answer does for all of them.

    That a model may be damaged stands on its datasheet.
    """
    game = play([marines(), foes()], active=["MISERY.2"])
    in_force, unit = game.query.in_force, next(iter(game.state.position.units.values()))
    changed = ("attack.hit-modifier", "attack.wound-modifier")
    assert in_force.looked_at(changed) == {"attacker", SHEET}
    assert not in_force.looked_at(("weapon.skill",))
    assert in_force.singled_out(changed, unit, ATTACKS) == set()


def test_what_looks_at_ranged_attacks_looks_at_melee(play: Play, marines: Make, foes: Make) -> None:
    """Debris Storm is of ranged attacks at the Horde: it tells them from those in melee."""
    in_force = play([marines(), foes()], active=["MISERY.31"]).query.in_force
    assert "melee" in in_force.looked_at(("attack.minimum-hit",))
