"""`horde scenario show`: the position in words, for a machine, and as a picture.

The picture needs no window.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from datasheets.errors import BadData
from datasheets.library import Library
from datasheets.scenario import parse_scenario
from engine.core import event as ev
from viewer.commands.recorded import recording
from viewer.commands.tableau import lines, position, show, tableau

TEXT = """
title = "Two face each other"
rules = ["CORE.LOS.1"]
board = { deployment = "none", size = [40, 30] }
step = "shooting"
rulings = { "sight.models_block" = true }
[[terrain]]
id = "keep"
kind = "ruin"
footprint = [[18, 10], [22, 10], [22, 20], [18, 20]]
height = 5
[[objective]]
id = "A"
at = [5, 15]
[[unit]]
id = "mob"
side = "horde"
at = [[5, 15], [5, 16.5]]
characteristics = { W = 2, OC = 3 }
wounds_lost = 1
weapons = [{ name = "gun", range = 24, A = 2, BS = 4, AP = -1, keywords = ["heavy"] }]
[[unit]]
id = "hidden"
side = "p1"
state = ["battle-shocked"]
at = [[30, 15]]
[[unit]]
id = "late"
side = "p1"
state = ["in-reserves"]
[dice]
hit = [3]
[[expect]]
that = "not visible('mob', 'hidden')"
"""


def told(text: str = TEXT) -> list[str]:
    return lines(position(parse_scenario(text, "file"), Library(), "file"))


def test_it_is_told_in_words() -> None:
    said = told()
    assert said[0] == "Two face each other; pins CORE.LOS.1"
    assert "Board 40 by 30, deployment none" in said
    assert "Ruin keep, 5 high: (18, 10) (22, 10) (22, 20) (18, 20)" in said
    assert "Objective A at (5, 15), held by horde" in said
    assert "mob (horde): 2 models" in said
    assert "  2 × gun: 24″, A 2 4+, S 4, AP -1, D 1 [heavy]" in said
    assert "  at (5, 15) (5, 16.5)" in said
    assert "  wounds left: model 0 1" in said
    assert "hidden (p1): 1 model, battle-shocked" in said
    assert "late (p1): 1 model in reserves, in-reserves" in said
    assert "Dice hit: 3" in said
    assert said[-1] == "Expect: not visible('mob', 'hidden')"


def test_the_closest_enemy_is_measured_from_base_to_base() -> None:
    # 25 inches between the middles, less two halves of 32 mm; the ruin stands between.
    assert "  closest enemy hidden, 23.74 away, out of sight" in told()
    open_ground = TEXT.replace("[[18, 10], [22, 10], [22, 20], [18, 20]]", "[[18, 1], [22, 1], [22, 4]]")
    assert "  closest enemy hidden, 23.74 away, in sight" in told(open_ground)


def test_nothing_is_played_before_it_is_told() -> None:
    stage = position(parse_scenario(TEXT, "file"), Library(), "file")
    plain: dict[str, Any] = tableau(stage)
    assert plain["step"] == ["shooting"]
    assert [unit["where"] for unit in plain["units"]] == ["table", "table", "reserves"]
    assert plain["units"][0]["models"][0] == {
        "name": "mob",
        "wounds": 1,
        "at": [5.0, 15.0],
        "facing": 90.0,
    }


def test_a_file_that_cannot_be_played_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(TEXT.replace('step = "shooting"', 'step = "shoting"'))
    with pytest.raises(BadData, match=r"bad\.toml: step: .*shooting"):
        show(path, None, as_json=False)
    with pytest.raises(BadData, match=r"none\.toml: cannot be read"):
        show(tmp_path / "none.toml", None, as_json=False)


def run(*words: str | Path, more: str = "") -> subprocess.CompletedProcess[str]:
    code = f"import sys\nfrom viewer.cli import main\ntry:\n    main()\nfinally:\n    {more or 'pass'}"
    bare = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "SDL_VIDEODRIVER")}
    command = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=bare, timeout=120, check=False)


def test_a_picture_is_drawn_without_a_window(tmp_path: Path) -> None:
    """Without a screen every side has its colour where it stands; only JSON is printed."""
    (tmp_path / "a.toml").write_text(TEXT)
    out = tmp_path / "a.png"
    done = run("scenario", "show", tmp_path / "a.toml", "--json", "--png", out)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["title"] == "Two face each other"
    import pygame

    from viewer.window.palette import DEFAULT

    picture = pygame.image.load(out)
    width, height = picture.get_size()
    assert (width, height) == (1600, round(1600 * (30 + 3.2) / (40 + 3.2)))
    scale = 1600 / (40 + 3.2)

    def colour(x: float, y: float) -> tuple[int, int, int]:
        return tuple(picture.get_at((round((x + 1.6) * scale), round(height - (y + 1.6) * scale))))[:3]

    (red, _, blue), (cold_red, _, cold_blue) = colour(5.3, 16.6), colour(30.3, 15.1)
    assert red > blue + 30
    assert cold_blue > cold_red + 30
    # The ground has a grain.
    assert all(abs(here - plain) < 10 for here, plain in zip(colour(35.5, 5.5), DEFAULT.ground, strict=True))


def test_pygame_is_loaded_only_for_a_picture(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(TEXT)
    more = "sys.stderr.write(str('pygame' in sys.modules))"
    assert run("scenario", "show", tmp_path / "a.toml", more=more).stderr == "False"


def test_a_picture_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(TEXT)
    done = run("scenario", "show", tmp_path / "a.toml", "--png", tmp_path / "none" / "a.png")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "a.png: the picture cannot be written there" in done.stderr


def test_a_scenario_is_watched_as_it_is_played(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(TEXT)
    told = recording(path).poll()
    assert isinstance(told[0], ev.Setup)
    assert [each.name for each in told if isinstance(each, ev.PhaseBegan)] == ["shooting", "end"]
