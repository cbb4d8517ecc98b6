"""What wargear and the kind of model change when a unit enters a battle."""

from __future__ import annotations

from datasheets.library import Library
from datasheets.schema import RosterUnit
from engine.core.facts import UnitFacts
from engine.w40k.muster import muster, roster_part


def unit(datasheet: str, models: int = 1, **wargear: int) -> UnitFacts:
    """Return the facts of a player's unit; spaces of wargear are written as underscores."""
    named = {item.replace("_", " "): count for item, count in wargear.items()}
    asked = RosterUnit(id="u", datasheet=datasheet, models=models, wargear=named)
    part = roster_part(Library(overrides=None), asked)
    return muster("u", [part], side="players", player="p1", first_row=0)


def number(facts: UnitFacts, name: str) -> list[int | None]:
    """Return a characteristic of each model."""
    return [model.characteristics.get(name) for model in facts.models]


def test_a_shield_gives_its_bearer_a_wound_or_a_save() -> None:
    assert number(unit("space-marines/captain"), "W") == [5]
    assert number(unit("space-marines/captain", Relic_Shield=1), "W") == [6]
    assert number(unit("black-templars/impulsor", Shield_Dome=1), "Inv") == [5]
    guard = unit("necrons/lychguard", 5, Dispersion_shield=2)
    assert sorted(number(guard, "Inv"), key=str) == [4, 4, None, None, None]


def test_shields_of_the_space_wolves_give_a_save_or_wounds() -> None:
    """Those that no profile has already: 4+ invulnerable, or Wounds of 6 and of 4."""
    riders = unit("space-wolves/thunderwolf-cavalry", 3, Storm_shield=3)
    assert number(riders, "Inv") == [4, 4, 4]
    assert number(unit("space-wolves/thunderwolf-cavalry", 3, Boltgun=3), "Inv") == [None] * 3
    assert number(unit("space-wolves/wolf-guard-headtakers", 3), "Inv") == [4, 4, 4]
    for dreadnought in ("venerable-dreadnought", "wulfen-dreadnought"):
        assert number(unit(f"space-wolves/{dreadnought}", 1, Blizzard_shield=1), "Inv") == [4], dreadnought
    assert number(unit("space-wolves/wolf-guard-battle-leader", 1, Storm_Shield=1), "W") == [6]
    assert number(unit("space-wolves/wolf-guard-battle-leader", 1, Plasma_pistol=1), "W") == [5]
    guard = unit("space-wolves/wolf-guard-terminators", 5, Storm_shield=2)
    assert sorted(number(guard, "W")) == [3, 3, 3, 4, 4]
    assert number(unit("space-wolves/wulfen-with-storm-shields", 5), "Inv") == [4] * 5


def test_wargear_of_the_deathwatch_is_its_bearers_alone() -> None:
    terminators = unit("deathwatch/deathwatch-terminator-squad", 5, Storm_Shield=1)
    assert sorted(number(terminators, "W"), key=str) == [3, 3, 3, 3, 4]
    for squad, size in (("deathwatch-veterans", 5), ("decimus-kill-team", 10)):
        carried = unit(f"deathwatch/{squad}", size, Astartes_shield=1)
        assert (
            number(carried, "Inv").count(4) == number(unit(f"deathwatch/{squad}", size), "Inv").count(4) + 1
        )
    assert "SMOKE" in unit("deathwatch/corvus-blackstar", **{"Infernum halo-launcher": 1}).parts[0].keywords
    assert "SMOKE" not in unit("deathwatch/corvus-blackstar").parts[0].keywords


def test_a_save_of_one_kind_of_model_is_not_that_of_others() -> None:
    facts = unit("orks/ghazghkull-thraka", 2)
    assert {model.name: model.characteristics["Inv"] for model in facts.models} == {
        "Ghazghkull Thraka": 4,
        "Makari": 2,
    }


def test_drones_add_up() -> None:
    plain = number(unit("tau-empire/commander-in-enforcer-battlesuit"), "W")[0]
    drones = number(unit("tau-empire/commander-in-enforcer-battlesuit", Shield_Drone=2), "W")[0]
    assert plain is not None
    assert drones == plain + 2


def test_a_weapon_without_a_range_is_not_fired_and_is_told() -> None:
    facts = unit("astra-militarum/deathstrike")
    assert "Deathstrike Missile" not in {weapon.name for weapon in facts.weapons}
    assert any("Deathstrike" in name for name in facts.parts[0].unmodelled)


def test_a_strength_of_dice_comes_along() -> None:
    guns = unit("orks/battlewagon", Zzap_gun=1).weapons
    assert [gun.strength for gun in guns if gun.name == "Zzap gun"] == ["D6+6"]


def test_a_unit_has_the_keywords_of_its_models() -> None:
    assert "CHARACTER" in unit("space-marines/marneus-calgar", 3).parts[0].keywords


def test_a_model_carries_its_wargear_without_profile_as_items() -> None:
    """A model that does not carry it has none; weapons are told by their profiles."""
    facts = unit("death-guard/plague-marines", 5, Icon_of_Despair=1)
    assert sorted(model.items for model in facts.models)[-1] == ("Icon of Despair",)
    assert sum(1 for model in facts.models if model.items) == 1
