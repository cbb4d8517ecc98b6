"""The share of texts that the grammar can say rises with each piece that the grammar gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sayable

from datasheets.errors import BadData


def text(*needs: str, confidence: str = "high", **said: Any) -> dict[str, Any]:
    """Return a line of a worklist."""
    told = {"id": "x/y", "template": "heals", "horde": "yes", "horde_spawn": True}
    return {**told, "needs": list(needs), "confidence": confidence, **said}


def test_a_piece_is_there_when_all_its_names_are() -> None:
    none = sayable.pieces(frozenset())
    assert not any(none.values())
    half = sayable.pieces(frozenset(("word below_start",)))
    assert not half["W.below-strength"]
    both = sayable.pieces(frozenset(("word below_start", "word below_half")))
    assert [piece for piece, is_there in both.items() if is_there] == ["W.below-strength"]
    assert sayable.pieces(frozenset(("word hit_by",)))["W.hit-by-attacks"]
    assert sayable.pieces(frozenset(("word was_hit",)))["W.hit-by-attacks"]


def test_the_names_are_those_of_the_language() -> None:
    names = sayable.names()
    assert {
        "word has",
        "word has/2",
        "verb mark/2",
        "key aura",
        "moment destroyed",
        "number unit.move",
    } <= names
    assert "word has/9" not in names


def test_a_text_is_sayable_when_it_was_read_surely_and_its_pieces_are_there() -> None:
    known = {"W.visible": True, "M.after-shot": False}
    assert sayable.is_sayable(text("W.visible"), known)
    assert sayable.is_sayable(text(confidence="medium"), known)
    assert not sayable.is_sayable(text("W.visible", "M.after-shot"), known)
    assert not sayable.is_sayable(text("W.visible", confidence="low"), known)
    with pytest.raises(BadData, match=r"sayable\.toml: W\.new: this piece is missing, which x/y needs"):
        sayable.is_sayable(text("W.new"), known)


def test_texts_without_effect_and_those_of_detachments_are_left_out(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"has no worklist"):
        list(sayable.worklist(tmp_path))
    folder = tmp_path / "worklist"
    folder.mkdir()
    lines = (text(), text("W.visible", horde="no (PLAY.6)"), text(template="no-battle-effect"))
    (folder / "orks.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (folder / "orks-detachments.jsonl").write_text(json.dumps(text()))
    found = tuple(sayable.worklist(tmp_path))
    assert len(found) == 2
    known = {"W.visible": False}
    assert list(sayable.shares(found, known)) == [
        "All: 1 of 2 texts can be said, 50.0%",
        "The Horde's: 1 of 1 texts can be said, 100.0%",
    ]
    assert sayable.missing(found, known) == [("W.visible", 1)]
