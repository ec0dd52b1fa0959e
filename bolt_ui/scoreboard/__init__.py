"""The Scoreboard page."""
