"""Logs of a plant: read a CSV file, say whether the process drifts and how fast, and advise.

log = read_log(path.read_bytes(), path.name)     # reading: time, knobs and outcome are guessed
verdict = analyse(log)                           # analysis: drift, l_T and its interval
advice = advise(log, verdict, response)          # advice: n* and how often to measure
"""
