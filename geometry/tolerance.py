"""The tolerances of geometry, each with its unit and its reason.

No other module of geometry has one of its own. They stand on each other: what is computed is off by
ROUNDING; a line of a search may enter a shape by more, LINE_SLACK_INCHES; a place that a search finds may be
off by more again, PLACE_SLACK_INCHES, as it is rounded; and what is legal is judged with TOLERANCE, which is
more than all of these together. So no search takes what its check refuses. `tests/geometry/test_tolerance.py`
holds this order.
"""

from __future__ import annotations

ROUNDING = 1e-9
"""Computed numbers that differ by no more are equal: lengths in inches, directions, shares.

Of numbers up to some hundred inches a double knows 1e-13. What is no longer than this has no direction, and
straight lines cross nowhere whose directions differ by no more.
"""

LINE_SLACK_INCHES = 1e-8
"""A line of a search may enter a shape so deep, and spots are this far off what they touch.

A line that is tangent to two shapes enters each by a rounding error of both.
"""

DIRECTION_SLACK_RADIANS = 1e-7
"""An arc faces directions that lie no farther beyond its ends.

Where two curves only just touch, the direction to their contact is off by the root of a rounding error of a
double, which is 1.5e-8, and more of small arcs.
"""

PLACE_SLACK_INCHES = 2e-7
"""A place that a search finds may overlap, lie too far off or cost too much by this.

Places are rounded to seven digits, which shifts each by up to 7.1e-8, and two toward each other by 1.42e-7.
"""

TOLERANCE = 1e-6
"""Two lengths closer than this, in inches, are equal everywhere in the program.

Rounding errors of what is computed are smaller. The smallest difference that a file with four decimals can
mean is larger.
"""

AREA_TOLERANCE_SQUARE_INCHES = 1e-6
"""What covers no more than this has no area; a base that covers no more of one is beside it."""

FACING_TOLERANCE_DEGREES = 1e-6
"""Two facings closer than this are equal: an end of a base of ten inches shifts by 1e-7."""

TOUCHING_DEPTH_INCHES = 1e-5
"""A base that begins no deeper than this inside an obstacle is taken to touch it.

This is more than TOLERANCE, as several errors of that size may add up. From a point no farther off a corner
the direction to it means nothing: it changes by ROUNDING with a rounding error of the point.
"""

SLIVER_INCHES = 1e-4
"""What is no wider may be overlooked: hidden parts of a base, closed stretches of a rim.

It is the smallest difference that a file with four decimals can mean.
"""

MOST_MITRE = 1000.0
"""A corner is too sharp to be moved in that would move by more than this many times a depth.

With more its place would be off by TOLERANCE where its sides are off by ROUNDING.
"""
