"""What a report consists of: text blocks, and the runs of a campaign sorted for comparison."""
