"""A property that is worked out once and then kept with what it belongs to.

It does what that of `functools` does, but for the lock that this one takes up to Python 3.11: most things
here are asked for a property or two in their short lives, and the lock costs more than the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801 - it is written as a property is
    """A method without arguments as a value, found when it is first asked for."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        """Find the value so."""
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Keep the value under this name.

        The next time it is found there before the property is asked.
        """
        self._name = name

    @overload
    def __get__(self, thing: None, owner: type | None = None) -> cached_property[T]: ...

    @overload
    def __get__(self, thing: object, owner: type | None = None) -> T: ...

    def __get__(self, thing: object | None, owner: type | None = None) -> cached_property[T] | T:
        """Return the value; of the class, the property itself."""
        if thing is None:
            return self
        found = thing.__dict__[self._name] = self._make(thing)
        return found
