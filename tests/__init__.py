"""Tests of the project as a whole.

The folders mirror the packages and hold what their tests share.
"""
