"""Tests of `viewer`."""
