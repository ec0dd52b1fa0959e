"""`bolt doctor`: versions, threads and folders of this machine."""

import os
import shutil

from bolt_core import algorithms, benchmarks
from bolt_core.bench.clock import thread_to_process
from bolt_core.cli._parts import AsJson, print_facts
from bolt_core.common import paths, runtime


def doctor(as_json: AsJson = False) -> None:
    """Show CPU, BLAS threads, versions and the data directory."""
    before = runtime.blas_threads()
    runtime.configure()
    share = thread_to_process()
    facts = runtime.facts()
    home = paths.home()
    problems = [*benchmarks.problems(), *algorithms.problems()]
    runs = list(paths.runs().glob("*.jsonl"))
    checks = {
        "cpu": f"{facts['cpu']}, {facts['cores']} cores",
        "BLAS threads": f"{facts['blas_threads']} (found {before}, limited for every run)",
        "thread time / process time": f"{share:.2f} (1 means the cpu clock sees all the work)",
        "python": str(facts["python"]),
        **{name: v or "not installed" for name, v in runtime.versions().items()},
        "data directory": f"{home} ({'there' if home.exists() else 'made at the first run'})",
        "recorded runs": f"{len(runs)}, {sum(f.stat().st_size for f in runs) / 1e6:.1f} MB",
        "benchmarks, algorithms": f"{len(benchmarks.catalog())}, {len(algorithms.catalog())}",
        "plug-ins left out": "; ".join(map(str, problems)) or "none",
        "chromium (browser tests)": os.environ.get("BOLT_CHROMIUM")
        or shutil.which("chromium")
        or "not found",
    }
    print_facts(checks, checks if as_json else None)
