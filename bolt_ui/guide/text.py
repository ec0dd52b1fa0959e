"""Text of the Guide: five questions with their answers, the assumptions, the glossary and the keys.

It is plain data, so that a test can check that every question has a section and an answer.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """A question, the anchor of the section that answers it, and the figure below the answer."""

    anchor: str
    title: str
    question: str
    answer: str
    figure: str  # a name in bolt_ui.guide.sections.FIGURES


SECTIONS = (
    Section(
        "what-drifts",
        "What drifts",
        "What drifts?",
        "The objective f(x, t) itself. Ordinary Bayesian optimization searches for one best x and "
        "can stop once it has found it. Here the objective changes while it is being optimized: "
        "its maxima move, sink and rise, and the best x now is not the best x one minute later. "
        "There is no final answer. The task is to stay close to a moving optimum until the "
        "horizon H, and every second spent far from it is lost.\n\n"
        "The temporal lengthscale l_T says how fast the objective changes. Two observations of "
        "the same x that were made much less than l_T apart nearly agree; two that were made much "
        "more than l_T apart are almost independent. An old observation is therefore not wrong, "
        "but it says little about the present.",
        "drift",
    ),
    Section(
        "why-a-metronome-fails",
        "Why a metronome fails",
        "Why is it not enough to count iterations?",
        "Most theory of time-varying optimization counts iterations, as if a metronome set the "
        "pace: one query per tick, whatever the algorithm computes between two ticks. But the "
        "surrogate is a Gaussian process, and the time to compute with n observations grows "
        "with n, for large n like n cubed (in the figure, a term in n still dominates). An "
        "algorithm that keeps all observations needs more and more time per query and queries more "
        "and more rarely.\n\n"
        "Counted per iteration this looks harmless, because each query is chosen with more data "
        "than the one before. Counted per second it is costly, because the objective keeps moving "
        "between two queries. This is why the Arena can show regret over both axes, and why "
        "seconds are the default.\n\n"
        "Where the clock measures computing time, the ticks of one algorithm in a race are not "
        "quite regular: in one pass of seven the surrogate is "
        "also fitted from another start, which takes longer. That time counts too.",
        "metronome",
    ),
    Section(
        "response-time-and-n-star",
        "R(n) and n*",
        "What is R(n), and what does n* trade off?",
        "R(n) is the response time: the seconds from one query to the next while n observations "
        "are kept. It includes the cost of the query itself, R(0), and all computation: fitting "
        "the surrogate, choosing the next x, and deciding what to remove (the model clock charges "
        "a declared R(n) instead). The theory assumes that it never decreases when n grows.\n\n"
        "If the n newest observations are kept, the newest is R(n) seconds old, the next one "
        "2 R(n), and the oldest n R(n). The correlation k_T(i R(n)), a number between 0 and 1, "
        "says how much the i-th newest still tells about the present. The sum of the squares of "
        "these numbers, \u2016u_n\u2016\u00b2, measures what the whole dataset tells about the "
        "present. One more observation adds a term to this sum, but it also increases R(n), and "
        "with it the age of every other observation. The choice is between more data and fresher "
        "data; n* is the size at which \u2016u_n\u2016\u00b2 is largest. The paper proves an "
        "upper bound on the regret; for a fixed n and ever more queries, this bound grows least at "
        "n*. The regret itself may be smallest elsewhere. On a slower device all observations are "
        "older, so n* is usually smaller. If R(n) were constant, no observation would ever be "
        "worth removing.",
        "trade_off",
    ),
    Section(
        "who-leaves",
        "Which observation is removed",
        "Why is it not always the oldest observation that is removed?",
        "n* says how many observations to keep, not which ones. Removing the oldest is the "
        "obvious rule, and not always the best. An old observation may be the only one from its "
        "part of the search space: without it, the surrogate knows little there. A recent one "
        "may have close neighbours with the same information: without it, almost nothing "
        "changes.\n\n"
        "BOLT therefore computes, for each observation, how much the surrogate would change "
        "without it. The measure is the Wasserstein distance W\N{SUBSCRIPT TWO} between the "
        "surrogate with the observation and the surrogate without it, integrated over the search "
        "space and the near future. Hyperparameters and the fitted mean stay the same in "
        "both. The observation with the smallest distance is removed. The paper proves that the "
        "acquisition function, which chooses the next query, changes by at most a constant times "
        "this distance: the removal has the smallest such bound, and not necessarily the smallest "
        "change. An observation is stale when it no longer matters, whatever "
        "its age.",
        "removal",
    ),
    Section(
        "how-to-read-this-app",
        "How to read this app",
        "How do the clocks differ?",
        "Each run has its own clock, which decides how much time computation takes. The **wall** "
        "clock is real time, as in the paper; it is fair only while nothing else uses the machine. "
        "The **cpu** clock counts the processor time of the algorithm, times a slowdown, plus the "
        "declared cost R(0) of each query; other programs and viewers hardly affect it. The "
        "**model** clock charges a declared R(n) for each pass, whatever its removal scores cost: "
        "scoring is free. A second fit in a pass, with which R-, SW- and W-GPUCB learn their "
        "drift rate, is charged as a pass of its size. A run on this clock can be repeated bit "
        "for bit on the same machine; on another one, rounding may differ.\n\n"
        "In the Arena, lower is better: the average regret is what an algorithm lost per query "
        "compared with the moving optimum, without the random queries of the warm-up. It counts "
        "only the moments of queries. But a plant holds its last setting until the next query, "
        "while the objective moves on: the held regret counts what is lost in every second, so an "
        "algorithm that waits long between queries is charged for the wait too. The leaderboard "
        "has both, and the number of observations that each algorithm keeps. Inside BOLT shows one "
        "run in detail: the measured R(n), the curve whose maximum is n*, and the relevance of "
        "every observation kept. All settings are in the address bar, so a link shows another "
        "person what you see. Do not compare regrets of different clocks.",
        "clocks",
    ),
)

ASSUMPTIONS = {  # assumption: where it fails
    "f is a sample of a Gaussian process": "The process of a real objective is unknown. Its "
    "hyperparameters are learned during the run; where f is not such a sample, the guarantee says "
    "little.",
    "Space and time separate: k = \N{GREEK SMALL LETTER LAMDA} k_S k_T": "There is one l_T for "
    "all x and all times. Where an objective is calm at some places or times and fast at others, "
    "it is a compromise.",
    "k_S and k_T are stationary, k_S is positive, and the spectrum of k_T has no gaps": "The "
    "kernels offered here satisfy it, but a periodic objective, for example one that repeats every "
    "day, has a spectrum of lines: its old data become useful again, and n* would remove them.",
    "The n observations kept are the newest, one every R(n) seconds (first in, first out)": "The "
    "ages i R(n) in \u2016u_n\u2016\u00b2 are theirs. BOLT removes by relevance instead, so what "
    "it keeps may be much older than n R(n).",
    "f is Lipschitz in space, with high probability": "This fails for rough kernels "
    "(Mat\u00e9rn-1/2 in space) and for jumps. WLAN jumps when a user changes the node, but in "
    "time, where a rough kernel is allowed.",
    "R(0) is positive, and R never decreases and grows without bound": "Measured response times "
    "scatter. The fit is a cubic without negative coefficients, so it satisfies the assumption at "
    "every n; while R still looks constant, there is no n* and no limit.",
    "The acquisition function is Lipschitz in mean and standard deviation": "This is true for "
    "GPUCB, and for expected improvement with a fixed incumbent. It fails for the probability of "
    "improvement where the standard deviation is close to zero.",
}

GLOSSARY = (
    ("f(x, t)", "objective: x in the unit box, t in seconds; larger is better"),
    ("t, H", "time on the run's own clock; horizon at which a run ends"),
    ("query", "one measurement of f: x is chosen, and y = f(x, t) plus noise is returned"),
    ("observation", "what a query gave: x, t and y"),
    ("dataset D", "the observations kept now"),
    ("n", "dataset size: number of observations kept now"),
    ("removed", "no longer in the dataset; a removed observation does not come back"),
    ("pass", "one iteration of Algorithm 1: query, fit, and removal of observations"),
    ("warm-up", "the 15 random queries at the start of every run"),
    ("R(n)", "response time: seconds from one query to the next while n observations are kept"),
    ("R(0)", "cost of one query without any computation"),
    ("device", "what the computation runs on: a measured machine or a declared R(n)"),
    ("wall, cpu, model", "the three clocks: real time, processor time, declared time"),
    ("n*", "recommended size: the n at which \u2016u_n\u2016\u00b2 is largest"),
    ("u_n", "vector of k_T(i R(n)) for i = 1 to n: what each observation tells about the present"),
    ("\u2016u_n\u2016\u00b2", "its squared norm: what all n observations tell; n* maximises it"),
    ("surrogate", "Gaussian process that models f: a mean and a standard deviation at each (x, t)"),
    ("k_S, k_T", "correlation in space and in time: 1 at distance 0, decreasing with distance"),
    ("l_S", "spatial lengthscale, in units of the box: distance over which f stays similar"),
    ("l_T", "temporal lengthscale, in seconds: time over which f stays similar"),
    ("\u03bb", "signal variance: how much f varies"),
    ("\u03c3\u2080\u00b2", "noise variance of an observation"),
    ("W\u2082", "relevance score: how much the surrogate would change without one observation"),
    ("stale", "with a small W\u2082, whatever the age"),
    ("instant regret", "r_i = f(x*, t_i) \u2212 f(x_i, t_i): what query i lost"),
    ("cumulative regret", "sum of the instant regrets so far"),
    ("average regret", "mean instant regret per query, without the warm-up: the main number"),
    (
        "held regret",
        "mean loss over all seconds after the warm-up, not only at queries: the last setting stays "
        "in use until the next query, while f moves on",
    ),
    ("quasi-static", "l_T is so much longer than R(n) that f hardly changes between two queries"),
    ("near-constant R", "R(n) stays close to R(0) even with all data that the horizon allows"),
)

KEYS = (
    ("S", "start a race, or stop the one you watch"),
    ("F", "freeze the charts; the race continues"),
    ("P", "enter or leave presenter mode; Escape leaves it too"),
    ("Space", "play or pause a replay"),
    ("Left, Right", "previous or next step of a replay, or chapter in presenter mode"),
)
