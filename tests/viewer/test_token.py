"""Palettes, sizes, roles and tokens: told apart by contrast and by shape alone."""

from __future__ import annotations

import pygame
import pytest

from datasheets.errors import BadData, HordeError
from engine.core.facts import BaseFacts, ModelFacts, PartFacts, UnitFacts, WeaponFacts
from viewer.story.role import ROLES, role_of
from viewer.window.glyph import GLYPHS
from viewer.window.look import Look, Sizes, sizes
from viewer.window.palette import PALETTES, contrast
from viewer.window.token import Face, paint


@pytest.mark.parametrize("name", PALETTES)
def test_words_and_marks_have_contrast(name: str) -> None:
    palette = PALETTES[name]
    for ground in (palette.panel, palette.raised):
        for tone in (palette.ink, palette.soft, palette.accent, palette.horde_text, palette.players_text):
            assert contrast(tone, ground) >= 4.5
        assert contrast(palette.good, ground) >= 4.5
        assert contrast(palette.loss, ground) >= 4.5
        assert contrast(palette.shock_text, ground) >= 4.5
        assert contrast(palette.faint, ground) >= 4.5
    assert contrast(palette.on_accent, palette.accent) >= 4.5
    for mark in (palette.horde, palette.players[0], palette.good, palette.loss, palette.shock):
        assert contrast(mark, palette.ground) >= 3


def test_a_look_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(HordeError, match="palette"):
        Look("pink")
    with pytest.raises(BadData, match="80 to 200"):
        Look(text=300)


def test_every_role_has_a_sign() -> None:
    assert set(ROLES) <= set(GLYPHS)


ROUND = BaseFacts(length=32 / 25.4, width=32 / 25.4)


def facts(keywords: str, *weapons: WeaponFacts, **numbers: int) -> UnitFacts:
    """Return a unit of three models that all carry these weapons."""
    characteristics = {"T": 4, "Sv": 3, "W": 2, **numbers}
    models = tuple(
        ModelFacts(
            row=i,
            name="m",
            base=ROUND,
            height=2.0,
            characteristics=characteristics,
            weapons=tuple(range(len(weapons))),
        )
        for i in range(3)
    )
    part = PartFacts(datasheet="x/y", name="m", keywords=frozenset(keywords.split(",")))
    return UnitFacts(
        id="u", name="u", side="players", player="p1", parts=(part,), models=models, weapons=weapons
    )


RIFLE = WeaponFacts(name="r", range=24, attacks="2", skill=3, strength=4)
PLASMA = WeaponFacts(name="p", range=24, attacks="2", skill=3, strength=8, ap=-3, damage="2")
MELTA = WeaponFacts(name="m", range=18, skill=3, strength=9, damage="D6")
FLAMER = WeaponFacts(name="f", range=12, attacks="D6", strength=4, keywords=("torrent",))
SWORD = WeaponFacts(name="s", attacks="6", skill=3, strength=5, ap=-2, damage="2")


@pytest.mark.parametrize(
    ("unit", "role"),
    [
        (facts("INFANTRY", RIFLE), "line"),
        (facts("INFANTRY", PLASMA), "gunline"),
        (facts("INFANTRY", MELTA, T=6), "anti-tank"),
        (facts("INFANTRY", FLAMER), "flame"),
        (facts("INFANTRY", RIFLE, SWORD), "melee"),
        (facts("INFANTRY", RIFLE, Sv=2), "heavy infantry"),
        (facts("INFANTRY,JUMP PACK", RIFLE), "jump"),
        (facts("INFANTRY,CHARACTER", RIFLE), "character"),
        (facts("VEHICLE,WALKER", RIFLE), "walker"),
        (facts("VEHICLE,TRANSPORT", RIFLE), "transport"),
        (facts("VEHICLE,TRANSPORT", MELTA), "tank"),
        (facts("MONSTER,CHARACTER", RIFLE), "monster"),
    ],
)
def test_a_unit_s_role_is_the_first_that_fits(unit: UnitFacts, role: str) -> None:
    assert role_of(unit) == role


def face(*, toothed: bool, left: int, full: int, role: str = "line") -> Face:
    side = PALETTES["default"].side("horde" if toothed else "players")
    return Face("round", 64, 64, 0, side, role, left, full, toothed, 255)


def test_sides_roles_and_wounds_are_told_by_shape_alone() -> None:
    """Drawn in one colour, tokens that differ in any of these differ in their picture."""
    base, palette = BaseFacts(length=3.2, width=3.2), PALETTES["default"]
    one = palette.neutral
    faces = [
        face(toothed=False, left=2, full=2)._replace(colour=one),
        face(toothed=True, left=2, full=2)._replace(colour=one),
        face(toothed=False, left=1, full=2)._replace(colour=one),
        face(toothed=False, left=2, full=2, role="gunline")._replace(colour=one),
        face(toothed=False, left=7, full=9)._replace(colour=one),
    ]
    pictures = [pygame.transform.grayscale(paint(each, base, 20.0, palette)) for each in faces]
    assert len({pygame.image.tobytes(each, "RGBA") for each in pictures}) == len(faces)


def test_a_base_s_outer_edge_is_the_true_base_on_either_side() -> None:
    base, palette = BaseFacts(length=3.2, width=3.2), PALETTES["default"]
    for toothed in (False, True):
        picture = paint(face(toothed=toothed, left=1, full=1), base, 20.0, palette)
        middle = picture.get_width() // 2
        inside, outside = (picture.get_at((middle - far, middle)) for far in (30, 35))
        assert inside.a == 255
        assert outside.a < 120


def test_the_factors_of_sizes_follow_the_window_s_height() -> None:
    assert [sizes(high, Look()).ui for high in (640, 1080, 1440, 2160, 9000)] == [1.0, 1.0, 1.25, 2.0, 4.0]
    assert sizes(2160, Look(text=150)) == Sizes(2.0, 1.5)
    assert sizes(2160, Look(text=150)).text == 3.0
