"""A tree of wargear becomes what a model always carries and the choices that it has."""

from __future__ import annotations

from typing import Any

from datasheets.importers.wargear import Choice, open_tree

Node = dict[str, Any]


def bundles(choice: Choice) -> list[dict[str, int]]:
    """Return what the alternatives of a choice hold, with counts."""
    return [{each.item: each.count for each in bundle} for bundle in choice.option.alternatives]


def opened(*nodes: Node) -> tuple[dict[str, int], dict[str, list[dict[str, int]]], dict[str, int | None]]:
    """Return what is fixed, and by name the alternatives and the default of each choice."""
    fixed, choices = open_tree(nodes)
    return (
        {each.item: each.count for each in fixed},
        {choice.option.name: bundles(choice) for choice in choices},
        {choice.option.name: choice.option.default for choice in choices},
    )


def always(item: str, count: int = 1) -> Node:
    """Return an item that is always there."""
    return {"item": item, "least": count, "most": count}


def one_of(name: str, *members: Node, **more: Any) -> Node:
    """Return a group of which one is taken."""
    return {"group": name, "least": 1, "most": 1, "of": list(members), **more}


def test_a_tank_has_hull_sponsons_and_missile_apart() -> None:
    fixed, choices, defaults = opened(
        {
            "group": "Wargear",
            "of": [
                one_of("Hull", {"item": "Lascannon"}, {"item": "Bolter"}, default="Bolter"),
                {
                    "group": "Sponsons",
                    "most": 1,
                    "of": [{"pack": "2 Bolters", "of": [always("Bolter", 2)]}, {"item": "Flamer"}],
                },
                {"item": "Missile", "most": 1},
                always("Tracks"),
            ],
        }
    )
    assert fixed == {"Tracks": 1}
    assert choices == {
        "Hull": [{"Lascannon": 1}, {"Bolter": 1}],
        "Sponsons": [{"Bolter": 2}, {"Flamer": 1}],
        "Missile": [{"Missile": 1}],
    }
    assert defaults == {"Hull": 1, "Sponsons": None, "Missile": None}


def test_a_choice_inside_a_package_is_spelled_out() -> None:
    _, choices, defaults = opened(
        one_of(
            "Loadout",
            {
                "pack": "Gun and blade",
                "of": [always("Gun"), one_of("Blade", {"item": "Axe"}, {"item": "Fist"})],
            },
            {"pack": "Shield and sword", "of": [always("Shield"), always("Sword")]},
            default="Shield and sword",
        )
    )
    assert choices["Loadout"] == [{"Gun": 1, "Axe": 1}, {"Gun": 1, "Fist": 1}, {"Shield": 1, "Sword": 1}]
    assert defaults["Loadout"] == 2


def test_two_of_a_group_are_bounded_by_each_member() -> None:
    group = {"group": "Arms", "least": 2, "most": 2, "of": [{"item": "Claw", "most": 1}, {"item": "Gun"}]}
    _, choices, _ = opened(group)
    assert choices["Arms"] == [{"Claw": 1, "Gun": 1}, {"Gun": 2}]


def test_the_fewest_of_a_bounded_group_are_only_its_default() -> None:
    of = [{"item": "Saw", "least": 2, "most": 4}, {"item": "Gun", "least": 2, "most": 4}]
    _, choices, defaults = opened({"group": "Arms", "least": 4, "most": 4, "of": of})
    assert choices["Arms"][defaults["Arms"] or 0] == {"Saw": 2, "Gun": 2}
    assert {"Gun": 4} in choices["Arms"]


def test_what_leaves_no_room_for_others_is_an_alternative_of_them() -> None:
    pistol = one_of("Pistol", {"item": "Bolt"}, {"item": "Plasma"}, default="Bolt", without=["Claws"])
    sword = one_of("Sword", {"item": "Blade"}, default="Blade", without=["Claws"])
    _, choices, defaults = opened(pistol, sword, {"item": "Claws", "most": 1})
    (found,) = choices.values()
    assert {"Claws": 1} in found
    assert {"Bolt": 1, "Blade": 1} in found
    assert not [each for each in found if "Claws" in each and len(each) > 1]
    assert list(defaults.values()) == [found.index({"Bolt": 1, "Blade": 1})]


def test_a_very_wide_group_is_several_choices_of_one_with_its_bounds() -> None:
    of = [{"item": f"Gun {number}", "most": 4} for number in range(10)]
    _, choices = open_tree(
        [{"group": "Systems", "least": 1, "most": 4, "of": [*of, {"item": "Shield", "most": 1}]}]
    )
    assert [each.option.name for each in choices] == [f"Systems {number}" for number in (1, 2, 3, 4)]
    assert [each.is_needed for each in choices] == [True, False, False, False]
    assert all(each.option.most == {"Shield": 1} for each in choices)
