"""What the screens of the table share: fonts, the moment, the person, the board."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.window.camera import Camera
from viewer.window.lettering import Lettering
from viewer.window.playback import Playback
from viewer.window.player import PlayerSeat
from viewer.window.scene import Scene


@dataclass(frozen=True, slots=True)
class Table:
    """The parts of a window that its screens draw with and act on."""

    lettering: Lettering
    playback: Playback
    player: PlayerSeat
    camera: Camera
    scene: Scene
