"""Films and pictures of a replay: their moments, their bytes, and what is refused."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import numpy as np
import pygame
import pytest
from PIL import Image

from datasheets.errors import HordeError
from tests.viewer.command_line import Horde, alone, check_refused
from viewer.story.chronicle import Chronicle
from viewer.story.source import Entry, Recording
from viewer.window.film import LAST, Filmed, Wanted, film, length, plain_colours, stretches
from viewer.window.gif import SAME, GifWriter, quantised, shared_palette
from viewer.window.look import Look
from viewer.window.palette import DEFAULT
from viewer.window.window import Window

SIZE = (480, 320)


@pytest.fixture(scope="module")
def chronicle(entries: list[Entry]) -> Chronicle:
    """Return the made-up battle, read."""
    found = Chronicle()
    for entry in entries:
        found.add(entry)
    return found


def filmed(entries: list[Entry], wanted: Wanted, speed: float = 64.0) -> tuple[Filmed, bytes]:
    target = io.BytesIO()
    made = film(Recording(entries), wanted, target, SIZE, speed, Look())
    return made, target.getvalue()


def shown(body: bytes) -> list[tuple[Image.Image, int]]:
    """Return what a GIF shows, picture by picture, and for how many milliseconds."""
    found = []
    with Image.open(io.BytesIO(body)) as gif:
        for number in range(getattr(gif, "n_frames", 1)):
            gif.seek(number)
            found.append((gif.convert("RGB"), gif.info["duration"]))
    return found


@pytest.mark.parametrize(
    "wanted",
    [Wanted(2), Wanted(2, "shooting", "horde"), Wanted(None, "charge"), Wanted(None, "", "players")],
    ids=str,
)
def test_what_is_wanted_is_filmed_and_no_more(chronicle: Chronicle, wanted: Wanted) -> None:
    parts = stretches(chronicle, wanted)
    within = {place for start, end in parts for place in range(start, end)}
    ends = [stop.cursor for stop in chronicle.phases[1:]] + [len(chronicle)]
    for stop, end in zip(chronicle.phases, ends, strict=True):
        is_wanted = (
            wanted.round in (None, stop.round)
            and wanted.phase in ("", stop.phase)
            and wanted.turn in ("", stop.turn)
        )
        assert all((place in within) == is_wanted for place in range(stop.cursor, end)), stop
    assert all(one[1] < other[0] for one, other in pairwise(parts))


def test_a_film_shows_the_moments_as_the_window_does(entries: list[Entry], chronicle: Chronicle) -> None:
    wanted = Wanted(2, "movement", "horde")
    made, body = filmed(entries, wanted)
    pictures = shown(body)
    assert len(pictures) == made.pictures
    pygame.display.init()
    window = Window(pygame.display.set_mode(SIZE), Recording(entries), Look())
    while window.playback.speed < 64:
        window.playback.faster(1)
    [(start, _)] = stretches(chronicle, wanted)
    window.playback.seek(start)
    window.playback.playing = True
    window.draw()
    with Image.open(io.BytesIO(body)) as gif:
        gif.load()
        assert gif.palette is not None
        holder = Image.new("P", (1, 1))
        holder.putpalette(gif.palette.getdata()[1])
    expected = quantised(window.surface, holder).convert("RGB")
    pygame.quit()
    assert np.array_equal(np.asarray(pictures[0][0]), np.asarray(expected))
    assert not np.array_equal(np.asarray(pictures[-1][0]), np.asarray(expected))


def test_a_film_lasts_as_long_as_what_it_shows(entries: list[Entry], chronicle: Chronicle) -> None:
    wanted = Wanted(1, "movement")
    made, body = filmed(entries, wanted, 8.0)
    lasts = sum(each for _, each in shown(body)) / 1000
    assert lasts == pytest.approx(made.seconds, abs=0.05)
    parts = stretches(chronicle, wanted)
    assert lasts - LAST == pytest.approx(length(chronicle, parts, 8.0), abs=0.3 * len(parts))


def test_the_same_replay_gives_the_same_bytes(entries: list[Entry]) -> None:
    assert filmed(entries, Wanted(3, "fight")) == filmed(entries, Wanted(3, "fight"))


def test_only_what_changed_is_written(entries: list[Entry]) -> None:
    made, body = filmed(entries, Wanted(2, "movement", "horde"), 4.0)
    assert made.pictures > 10
    # A picture of a GIF has a table of colours of its own where the first bit of its flags says so.
    flags, boxes = _headers(body)
    assert not any(flag & 0x80 for flag in flags)
    assert boxes[0] == SIZE[0] * SIZE[1]
    assert sum(boxes[1:]) / len(boxes[1:]) < 0.8 * boxes[0]
    assert len(body) < made.pictures * SIZE[0] * SIZE[1] / 10


def _headers(body: bytes) -> tuple[list[int], list[int]]:
    """Return the flags of each picture of a GIF, and how many pixels it writes."""
    at, flags, boxes = 13 + 3 * 256, [], []
    while body[at] != ord(";"):
        if body[at] == ord("!"):
            at += 2
        else:
            left, top, wide, high = (
                int.from_bytes(body[at + 1 + 2 * i : at + 3 + 2 * i], "little") for i in range(4)
            )
            assert left + wide <= SIZE[0]
            assert top + high <= SIZE[1]
            flags.append(body[at + 9])
            boxes.append(wide * high)
            at += 11
        while body[at]:
            at += body[at] + 1
        at += 1
    return flags, boxes


def test_the_colours_of_the_palette_are_exact() -> None:
    named = plain_colours(DEFAULT)
    assert {DEFAULT.panel, DEFAULT.accent, DEFAULT.horde} <= set(named)
    surface = pygame.Surface((len(named), 1))
    for place, colour in enumerate(named):
        surface.set_at((place, 0), colour)
    noise = pygame.Surface((64, 64))
    for place in range(64 * 64):
        noise.set_at((place % 64, place // 64), (place * 7 % 256, place * 13 % 256, place * 29 % 256))
    palette = shared_palette([noise], named)
    found = quantised(surface, palette)
    assert SAME not in np.asarray(found)
    assert [tuple(pixel) for pixel in np.asarray(found.convert("RGB"))[0]] == named


def test_pictures_that_are_alike_become_one() -> None:
    target, palette = io.BytesIO(), shared_palette([], [(0, 0, 0), (255, 0, 0)])
    writer = GifWriter(target, (8, 8), palette)
    black, dotted = pygame.Surface((8, 8)), pygame.Surface((8, 8))
    dotted.set_at((5, 6), (255, 0, 0))
    for surface, seconds in ((black, 0.1), (black, 0.2), (dotted, 0.1)):
        writer.add(surface, seconds)
    writer.stay(0.5)
    writer.close()
    pictures = shown(target.getvalue())
    assert [lasts for _, lasts in pictures] == [300, 600]
    assert pictures[1][0].getpixel((5, 6)) == (255, 0, 0)
    assert pictures[1][0].getpixel((5, 5)) == (0, 0, 0)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--round", "9"], ["has no round 9"]),
        (["--round", "last"], ["'last' is no round"]),
        (["--phase", "shoot"], ["'shoot'", "did you mean 'shooting'"]),
        (["--turn", "hord"], ["'hord'", "did you mean 'horde'"]),
        (["--round", "0", "--phase", "fight"], ["nothing to film"]),
        (["--size", "big"], ["'big' is no size"]),
        (["--size", "99999x10"], ["99999x10 is no size"]),
        (["--size", "10x10"], ["10x10 is no size"]),
        (["--speed", "3"], ["3 is no speed", "0.25", "64"]),
        (["--speed", "fast"], ["'fast' is no speed"]),
        (["--speed", "0.25"], ["The film would last", "180 at most"]),
        (["--palette", "red"], ["'red'"]),
        (["--text", "300"], ["80 to 200"]),
        (["--out", "no/where.gif"], ["the film cannot be written there"]),
        (["--out", "there.gif"], ["there is a file already"]),
    ],
    ids=lambda value: " ".join(value) if value[0].startswith("--") else "",
)
def test_a_wrong_word_is_refused_and_leaves_no_file(
    horde: Horde,
    replay: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    told: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.gif").write_text("mine")
    check_refused(horde("replay", "film", replay, *words), *told)
    assert [path.name for path in tmp_path.iterdir()] == ["there.gif"]
    assert (tmp_path / "there.gif").read_text() == "mine"


def test_a_film_needs_no_screen(replay: Path, tmp_path: Path) -> None:
    """It is drawn where there is none, and where one is asked for nothing opens on it."""
    words = ["replay", "film", replay, "--round", "1", "--phase", "movement", "--turn", "horde"]
    without = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "XDG_RUNTIME_DIR")
    out = tmp_path / "a.gif"
    done = alone([*words, "--size", "480x320", "--speed", "64", "--out", out], without=without)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{out}: ")
    assert len(shown(out.read_bytes())) > 1


def test_a_picture_is_what_watching_saves(horde: Horde, replay: Path, tmp_path: Path) -> None:
    moment = "round:1:horde:movement"
    first, second = tmp_path / "a.png", tmp_path / "b.png"
    done = horde("replay", "picture", replay, "--at", moment, "--out", first)
    assert (done.code, done.err) == (0, "")
    assert horde("watch", replay, "--jump", moment, "--screenshot", second).code == 0
    assert first.read_bytes() == second.read_bytes()
    check_refused(horde("replay", "picture", replay, "--at", moment, "--out", first), "a file already")
    other = tmp_path / "c.png"
    check_refused(horde("replay", "picture", replay, "--at", "round:8", "--out", other), "no moment")
    assert not other.exists()


def test_what_is_no_replay_is_not_filmed(horde: Horde, tmp_path: Path) -> None:
    check_refused(
        horde("replay", "film", tmp_path / "none.replay", "--out", tmp_path / "a.gif"), "no such file"
    )
    with pytest.raises(HordeError, match="there is nothing to film"):
        stretches(Chronicle(), Wanted())
