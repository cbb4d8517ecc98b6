"""Tests of `datasheets`."""
