"""The sections of a report, made from the runs of a campaign."""
