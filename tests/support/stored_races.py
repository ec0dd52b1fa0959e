"""Records written into a library."""

from bolt_core.store.records import RecordWriter
from tests.support import runs
from tests.support.runs import first_passes, make_config


def write_run(library, name, n=20, **changes):
    """Write a record of n passes that is a race of its own; return its path."""
    path = library.directory / f"{name}.jsonl"
    runs.write_run(path, n, **changes)
    return path


def write_race(library, race_id, n=20, seeds=2):
    """Write the records of one race, one per seed, with n passes each."""
    for seed in range(seeds):
        header = {"race_id": race_id, "lane": 0, "dimension": 1, "horizon": 600.0}
        run_id = f"{race_id}-{seed}"
        path = library.directory / f"{run_id}.jsonl"
        with RecordWriter(path, make_config(seed=seed), header=header, run_id=run_id) as writer:
            for record in first_passes(n, seed=seed):
                writer.append(record)
