"""What the Scoreboard shows: a campaign's results as tables and charts, and one under way."""
