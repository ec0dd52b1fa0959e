"""The lessons as data: a question, options to predict from, and the race that decides.

Each lesson names a judge, a function that reads from the records of that race which option came
true. The races are fixed: model clock, seed 0. They repeat bit for bit on one machine; rounding
differs on another, and the page says so if a run disagrees. `tools/lesson_outcomes.py` counts how
often the expected answer comes true on other seeds.
"""

from dataclasses import dataclass, replace

from bolt_core.common.types import ClockConfig, RunConfig
from bolt_ui.lessons import lesson_judges
from bolt_ui.race_settings import DEFAULT_BENCHMARK, Lane, RaceSettings

WINDOW = 10  # observations that the sliding window of the second lesson keeps
SLOWER = 10.0  # times: the second device of the last lesson


@dataclass(frozen=True, slots=True)
class Lesson:
    """One question and the race that answers it."""

    key: str
    title: str
    short_title: str  # in the bar of presenter mode
    question: str
    options: tuple[str, ...]
    answer: int  # index of the option that is expected to come true
    judge: lesson_judges.Judge  # which option came true in a race
    lanes: tuple[Lane, ...]
    look: str  # what to look at
    reveal: str  # the explanation
    page: str = "arena"  # or inside
    cut: float = 60.0  # horizon, in seconds

    def configs(self, seed: int = 0) -> list[RunConfig]:
        """Return the runs of the lesson's race: the default benchmark on the model clock."""
        clock = ClockConfig("model")
        common = RunConfig("bolt", DEFAULT_BENCHMARK, horizon=self.cut, clock=clock)
        return RaceSettings(self.lanes, replace(common, seed=seed)).configs()


LESSONS = (
    Lesson(
        key="metronome",
        title="The metronome",
        short_title="Metronome",
        question="BOLT and GPUCB race for three minutes. At first their response times are equal. "
        "Which one has made more queries at the end?",
        options=("GPUCB, as it spends no time on removing data", "About the same", "BOLT, by far"),
        answer=2,
        judge=lesson_judges.metronome,
        lanes=(Lane("bolt"), Lane("gpucb")),
        cut=180.0,
        look="The columns Response and Queries of the leaderboard, and the dataset sizes.",
        reveal="GPUCB keeps every observation, so each response takes longer than the one before. "
        "BOLT removes what exceeds n*, so its response time stops growing once its dataset has "
        "reached n*, and falls again when n* falls.",
    ),
    Lesson(
        key="how-much-data",
        title="How much data is enough?",
        short_title="How much data",
        question="Three ways to choose how much data to keep: TV-GPUCB keeps all observations and "
        f"trusts old ones less, BOLT keeps n*, and SW-GPUCB is set to keep the newest {WINDOW}. "
        "Which one has the lowest average regret after three minutes?",
        options=(
            "TV-GPUCB, which keeps all: it knows the most at each query",
            "One of the two that keep less",
            "None: they differ by less than 10 %",
        ),
        answer=1,
        judge=lesson_judges.how_much_data,
        lanes=(Lane("bolt"), Lane("sw-gpucb", params={"window": WINDOW}), Lane("tv-gpucb")),
        cut=180.0,
        look="The columns Response, Queries and Average regret of the leaderboard.",
        reveal="Not all data are needed. An old observation says little about the objective as it "
        "is now, yet it makes each response longer, so the algorithm that keeps all makes the "
        "fewest queries. This race does not settle how little is enough: BOLT computes n* as a "
        "compromise between more data and fresher data, yet on 7 of 10 other seeds the small "
        "window, which makes the most queries, is ahead of it.",
    ),
    Lesson(
        key="slower-device",
        title="Another device, another size",
        short_title="Slower device",
        question="BOLT runs on a device that computes four times slower. What happens to n*?",
        options=(
            "It falls",
            "It stays: the objective is the same",
            "It grows: each observation costs more",
        ),
        answer=0,
        judge=lesson_judges.slower_device,
        page="inside",
        lanes=(Lane("bolt"), Lane("bolt", speed=4.0)),
        look="R(n) and the peak of \u2016u_n\u2016\u00b2, on both devices.",
        reveal="On the slower device every observation is older by the time it is used, so the "
        "best balance between more data and fresher data is at a smaller size. BOLT measures its "
        "response time and computes n* from it; the machine need not be described to it.",
    ),
    Lesson(
        key="fast-engine",
        title="What a fast engine is good for",
        short_title="Fast engine",
        question="The same BOLT runs on an engine that computes ten times faster. What does it do "
        "with the time that it saves?",
        options=(
            "It responds faster with as much data as before",
            "Both: it keeps more data and still responds faster",
            "It keeps so much more data that it responds as slowly as before",
        ),
        answer=1,
        judge=lesson_judges.fast_engine,
        page="inside",
        lanes=(Lane("bolt"), Lane("bolt", speed=0.1)),
        look="R(n), which is flatter for the fast engine, and n* on both.",
        reveal="R(n) falls for every n, so the same data are fresher, and one more "
        "observation delays the others less. n* grows until these two effects balance again. "
        "Some of the saved time is spent on more data, and some on more frequent queries.",
    ),
    Lesson(
        key="stale-not-old",
        title="Which observation goes first?",
        short_title="Stale or old",
        question="BOLT removes observations while it has more than n*. How many of the "
        "removed observations will be the oldest in the dataset?",
        options=("All of them", "More than half, but not all", "At most half"),
        answer=2,
        judge=lesson_judges.stale_not_old,
        page="inside",
        lanes=(Lane("bolt"), Lane("bolt-oldest")),
        look="The relevance of each observation: is the lowest the leftmost?",
        reveal="BOLT removes the observation without which the surrogate changes least. That may "
        "be a recent one with similar neighbours, while an old one that is alone in its part of "
        "the box is kept.",
    ),
    Lesson(
        key="held-regret",
        title="What the plant feels",
        short_title="Held regret",
        question="A plant holds its last setting until the next query, while the objective moves "
        "on. ABO decides when to query and may wait; BOLT queries as often as it can. Held regret "
        "counts every second, average regret only the moments of queries. For which algorithm is "
        "the held regret at least 1.35 times its average regret?",
        options=("For neither", "Only for ABO", "Only for BOLT", "For both"),
        answer=1,
        judge=lesson_judges.held_regret,
        lanes=(Lane("bolt"), Lane("abo")),
        cut=120.0,
        look="The columns Average regret and Held regret of the leaderboard, and the gaps of "
        "ABO in the metronome.",
        reveal="ABO chooses the time of each query so that the query itself is good, and waits "
        "for many seconds in between. The plant runs on the old setting meanwhile, and the "
        "average over queries does not count this. An algorithm that asks rarely, or stops "
        "asking, can look good per query and serve the plant badly.",
    ),
    Lesson(
        key="what-removal-gains",
        title="When does removing gain queries?",
        short_title="Removing",
        question="On Eggholder, BOLT and a variant of it that keeps all observations run for two "
        "minutes on the nominal device, and both again on one that computes ten times slower. On "
        "which device does removing observations gain more queries, relative to keeping all?",
        options=("On the slower device", "About the same on both", "On the nominal device"),
        answer=0,
        judge=lesson_judges.what_removal_gains,
        lanes=(
            Lane("bolt"),
            Lane("bolt-keep"),
            Lane("bolt", speed=SLOWER),
            Lane("bolt-keep", speed=SLOWER),
        ),
        cut=120.0,
        look="Dataset size n, and Response time vs regret.",
        reveal="The response time of BOLT stops growing at n*, and n* is smaller on the slower "
        "device. So the variant that keeps all exceeds it by a larger factor there, and each "
        "further observation makes its responses longer. On 7 of 10 other seeds the slower device "
        "gains more, and on the other 3 the gains are about the same.\n\n"
        "Other devices behave differently. Computing on the nominal device takes a time that grows "
        "with n from the start; on the paper device, which the Scoreboard uses, a large part of it "
        "is the same for every n, and there a device ten times slower gains least.\n\n"
        "More queries are not yet lower regret. In a single race even a lane on the slower device "
        "may have the lowest; the Scoreboard compares regret seed by seed, under Ablations.",
    ),
)

BY_KEY = {lesson.key: lesson for lesson in LESSONS}
RENAMED = {"per-second": "how-much-data"}  # keys in older links
