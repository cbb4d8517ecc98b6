"""A property that is kept is worked out once, for each thing by itself."""

from __future__ import annotations

import msgspec

from geometry.shape.cached import cached_property


class Counted(msgspec.Struct, frozen=True, dict=True):
    """Something that notes how often it was asked."""

    asked: list[int]

    @cached_property
    def value(self) -> int:
        """Return how often it was asked."""
        self.asked.append(1)
        return len(self.asked)


def test_a_property_is_worked_out_once_for_each_thing() -> None:
    one, other = Counted([]), Counted([])
    assert (one.value, one.value, other.value) == (1, 1, 1)
    assert one.asked == other.asked == [1]
    assert vars(one) == {"value": 1}


def test_the_class_has_the_property_itself_with_its_docstring() -> None:
    assert Counted.value.__doc__ == "Return how often it was asked."
