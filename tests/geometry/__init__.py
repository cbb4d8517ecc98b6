"""Tests of `geometry`."""
