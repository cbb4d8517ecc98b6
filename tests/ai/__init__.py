"""Tests of `ai`."""
