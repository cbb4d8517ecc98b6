"""Runs the program and notes which words stand where, at each picture: for tests.

    python -m tests.viewer.onlooker NOTES horde's words…

It changes nothing of what is shown. NOTES is a file of JSON that is replaced with each picture.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame

from viewer import cli
from viewer.story.live import Live
from viewer.window.lettering import Lettering
from viewer.window.window import Window


class Onlooker:
    """What was drawn last, and by whom."""

    def __init__(self, notes: Path) -> None:
        self.notes = notes
        self.pictures = 0
        self.lettering: Lettering | None = None
        self.window: Window | None = None
        self.managers: list[Any] = []

    def note(self) -> None:
        """Write down what is on the screen."""
        self.pictures += 1
        told = {"pictures": self.pictures, "words": self._words(), **self._battle()}
        beside = self.notes.with_suffix(".new")
        beside.write_text(json.dumps(told))
        os.replace(beside, self.notes)

    def _words(self) -> list[tuple[str, list[int]]]:
        found = []
        for each in self.lettering.written if self.lettering is not None else []:
            found.append((each.words, list(each.box.clip(each.clip))))
        for manager in self.managers:
            for element in manager.get_sprite_group().sprites():
                words = getattr(element, "text", "")
                if isinstance(words, str) and words and element.visible and element.alive():
                    found.append((words, list(element.get_abs_rect())))
        return found

    def _battle(self) -> dict[str, Any]:
        window = self.window
        if window is None:
            return {}
        playback, asked = window.playback, window.player.asked
        state, source = playback.state, playback.source
        units = {}
        for unit in state.position.on_table():
            x, y = map(float, state.position.table.xy[unit.rows[0]])
            units[unit.id] = [unit.name, unit.side, *map(round, window.camera.to_screen(x, y))]
        return {
            "round": state.round,
            "turn": state.turn,
            "phase": state.phase,
            "over": bool(state.over),
            "speed": playback.speed,
            "plays_on": not playback.at_end or playback.effect is not None,
            "decision": asked.request.decision if asked is not None else "",
            "kind": type(asked.request).__name__ if asked is not None else "",
            "unit": asked.request.unit if asked is not None else "",
            "can_act": [option.id for option in getattr(asked.request, "options", ())] if asked else [],
            "open": getattr(asked, "open", None) is not None,
            "shop": getattr(asked, "shop", None) is not None,
            "summary": bool(getattr(getattr(window, "turn", None), "is_open", False)),
            "line": asked.line if asked is not None else "",
            "answers": len(source.game.answers) if isinstance(source, Live) else 0,
            "buttons": [[line, list(box)] for box, line in window.panel.buttons],
            "board": list(window.layout.board),
            "header": list(window.layout.header),
            "bottom": list(window.layout.bottom),
            "corners": [window.camera.to_screen(0, 0), window.camera.to_screen(60, 44)],
            "cursor": playback.cursor,
            "playing": playback.playing,
            "units": units,
        }


def around(owner: Any, name: str, before: Callable[..., None], after: Callable[[], None]) -> None:
    """Let something happen before and after each call of a function."""
    work = getattr(owner, name)

    def called(*words: Any, **more: Any) -> Any:
        before(*words)
        try:
            return work(*words, **more)
        finally:
            after()

    setattr(owner, name, called)


def main() -> None:
    """Run the program with an onlooker."""
    looks = Onlooker(Path(sys.argv[1]))
    nothing = lambda *_: None  # noqa: E731

    def lettered(lettering: Lettering, surface: pygame.Surface) -> None:
        if surface is pygame.display.get_surface():
            looks.lettering = lettering

    def drawn(window: Window) -> None:
        looks.window, looks.managers = window, []

    around(Lettering, "begin", lettered, lambda: None)
    around(Window, "draw", drawn, lambda: None)
    around(pygame.display, "flip", nothing, looks.note)
    around(pygame.display, "update", nothing, looks.note)
    try:
        from pygame_gui import UIManager
    except ModuleNotFoundError:
        pass
    else:
        around(UIManager, "draw_ui", lambda manager, *_: looks.managers.append(manager), lambda: None)
    sys.argv[1:] = sys.argv[2:]
    cli.main()


if __name__ == "__main__":
    main()
