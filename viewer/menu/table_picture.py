"""Pictures of a battle before it begins: its table from above, the units of an army.

Draws with the same ground and the same glyphs as the battle's own window.
"""

from __future__ import annotations

import pygame

from datasheets.belonging import Realm
from datasheets.roster import unit_cost
from datasheets.schema import Roster
from engine.core.state import State
from engine.w40k.battle import Battle
from viewer.story.name import short_name
from viewer.story.role import role_of
from viewer.window.board import GroundSprite
from viewer.window.camera import Camera
from viewer.window.lettering import Lettering


def table_picture(state: State, lettering: Lettering, width: int) -> pygame.Surface:
    """Return the table of a battle, as wide as this."""
    long, deep = state.position.board.size
    height = max(round(width * deep / long), 1)
    found = pygame.Surface((max(width, 1), height))
    found.fill(lettering.palette.background)
    camera = Camera((0, 0, found.get_width(), height))
    camera.fit_within(long, deep, (2, 2, 2, 2))
    ground = GroundSprite(lettering)
    ground.draw(found, camera, state)
    ground.label(found, camera, state, [])
    return found


def table_words(state: State) -> str:
    """Return what stands on a table, in numbers."""
    long, deep = state.position.board.size
    zones = sum(zone.kind == "spawn" for zone in state.position.zones.values())
    return (
        f"{long:g}″ × {deep:g}″ · {len(state.position.objectives)} objectives · {zones} spawn zones · "
        f"{len(state.position.terrain)} pieces of terrain"
    )


def army_picture(
    armies: tuple[Roster, ...], game: Battle, lettering: Lettering, width: int
) -> pygame.Surface:
    """Return the units of armies as tiles: role, name, points."""
    tiles = [tile for number, army in enumerate(armies) for tile in _tiles(number, army, len(armies), game)]
    gap, high = lettering.t(10), lettering.t(46)
    columns = max(min(width // lettering.t(230), 4), 1)
    share = (width - gap * (columns - 1)) // columns
    rows = -(-len(tiles) // columns)
    found = pygame.Surface((max(width, 1), max(rows * (high + gap) - gap, 1)))
    found.fill(lettering.palette.panel)
    for place, (seat, role, name, points) in enumerate(tiles):
        box = pygame.Rect(place % columns * (share + gap), place // columns * (high + gap), share, high)
        _draw_tile(found, box, lettering, (seat, role, name, points))
    return found


Tile = tuple[int, str, str, int]
"""Whose it is, its role, its name and its points."""


def _tiles(number: int, army: Roster, armies: int, game: Battle) -> list[Tile]:
    """Return the tiles of an army; leaders stand with those whom they lead."""
    prefix = f"p{number + 1}/" if armies > 1 else ""
    library, realm = game.library, Realm(army.faction, game.library)
    mustered = {facts.id: facts for facts in game.mustered}
    found = []
    for unit in army.units:
        facts = mustered.get(prefix + unit.id)
        if unit.attached_to or facts is None:
            continue
        parts = [unit, *(other for other in army.units if other.attached_to == unit.id)]
        sheets = [(part, library.datasheet(part.datasheet)) for part in parts]
        points = sum(unit_cost(part, sheet, allied=not realm.has(sheet)) for part, sheet in sheets)
        found.append((number, role_of(facts), short_name(facts.name), points))
    return found


def _draw_tile(surface: pygame.Surface, box: pygame.Rect, lettering: Lettering, tile: Tile) -> None:
    seat, role, name, points = tile
    palette, pad = lettering.palette, lettering.t(10)
    pygame.draw.rect(surface, palette.background, box, border_radius=6)
    pygame.draw.rect(surface, palette.line, box, 1, border_radius=6)
    radius = box.h // 2 - lettering.t(7)
    middle = (box.x + pad + radius, box.centery)
    pygame.draw.aacircle(surface, palette.side("players", seat), middle, radius, max(radius // 6, 2))
    lettering.glyphs.draw(surface, role, middle, round(radius * 1.2), palette.ink)
    cost = lettering.draw(
        surface, f"{points}", (box.right - pad, box.centery), 13, palette.soft, anchor="midright"
    )
    left = middle[0] + radius + pad
    shown = lettering.fitted(name, 13, max(cost.x - pad - left, 1), True)
    lettering.draw(surface, shown, (left, box.centery), 13, palette.ink, bold=True, anchor="midleft")
