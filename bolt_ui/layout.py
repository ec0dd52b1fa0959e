"""Sizes that several pages share, in pixels."""

TEXT_WIDTH = 720  # widest comfortable line of text
