"""A picture of the moment that a person keeps: where it is saved, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from viewer.input.user_folder import PICTURES, next_file, user_folder
from viewer.story.source import Recording, Source
from viewer.window.message import Message

STEM, SUFFIX = "horde-picture", ".png"


def save_picture(picture: bytes, source: Source, message: Message) -> None:
    """Save a picture beside the replay, else in the user's own folder; say where."""
    file = source.file if isinstance(source, Recording) else None
    fault = ""
    for find in _folders(file):
        try:
            path = next_file(find(), file.stem if file is not None else STEM, SUFFIX)
            with path.open("xb") as target:
                target.write(picture)
        except OSError as problem:
            fault = problem.strerror or str(problem)
            continue
        message.say(f"Picture saved: {path.name}", f"in {path.parent.absolute()}")
        return
    message.say(f"The picture cannot be saved: {fault}", is_bad=True)


def _folders(file: Path | None) -> list[Callable[[], Path]]:
    """Return what finds the folders that are tried, the first one first."""

    def own() -> Path:
        return user_folder(PICTURES)

    return [own] if file is None else [lambda: file.parent, own]
