"""What the Guide says: five questions of a newcomer with their answers, words, assumptions, keys.

Plain data, so that a test can ask whether every question has its section and a real answer.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """A question, the place in the page that answers it, and the figure beside the answer."""

    anchor: str
    title: str
    question: str
    answer: str
    figure: str  # a name in ui.guide.FIGURES


SECTIONS = (
    Section(
        "what-drifts",
        "What drifts",
        "What drifts?",
        "The objective f(x, t) itself. Ordinary Bayesian optimization looks for one best place and "
        "may stop once it has found it. Here the landscape changes while you look: ridges move, "
        "sink and rise, and the best place now is not the best place a minute from now. So there "
        "is no end to reach. The task is to stay near a moving optimum for as long as the problem "
        "lasts, and every second spent away from it is lost.\n\n"
        "How fast things change is told by one number, the temporal lengthscale l_T: two looks at "
        "the same place that are much less than l_T apart say nearly the same, two that are much "
        "more than l_T apart have little to do with each other. An old observation is therefore "
        "not wrong; it has become vague about the present.",
        "drift",
    ),
    Section(
        "why-a-metronome-fails",
        "Why a metronome fails",
        "Why is it not enough to count iterations?",
        "Most theory of time-varying optimization counts iterations as if a metronome beat them: "
        "one look per tick, whatever the algorithm does between ticks. But the surrogate is a "
        "Gaussian process, and thinking with n observations takes time that grows like n cubed. "
        "Who keeps everything thinks longer and longer, looks more and more rarely, and is left "
        "with observations that are all old.\n\n"
        "Counted per iteration that looks harmless, because each look is chosen with more data "
        "than the one before. Counted per second it is the end: the world moves on between two "
        "ticks. That is why the regret of a race here can be read both ways, and why seconds come "
        "first.",
        "metronome",
    ),
    Section(
        "response-time-and-n-star",
        "R(n) and n*",
        "What is R(n), and what does n* trade off?",
        "R(n) is the response time: the seconds from one look to the next when n observations are "
        "kept. It contains the price of the look itself, R(0), and all the thinking: fitting the "
        "surrogate, choosing the next place, deciding what to drop. It never falls when n grows.\n"
        "\n"
        "Keeping n observations makes the newest R(n) seconds old, the next 2 R(n), the last "
        "n R(n). How much the i-th still says about now is k_T(i R(n)), a number between 0 and 1 "
        "that falls with age. The sum of their squares, \u2016u_n\u2016\u00b2, measures what the "
        "whole dataset knows about the present. One more observation adds a term, and makes R, "
        "hence every age, a little larger. More data against fresher data: n* is the size at "
        "which the two balance. The paper shows that the regret it can guarantee is smallest "
        "there. A slower device has older data at every size, so its n* is smaller; with a "
        "constant R(n) nothing would ever be worth dropping.",
        "trade_off",
    ),
    Section(
        "who-leaves",
        "Who leaves",
        "Why need the oldest observation not be the one that leaves?",
        "n* says how many may stay, not which. Dropping the oldest is the obvious rule, and it is "
        "often wrong. An old observation may be the only one from its part of the box: without it "
        "the surrogate knows nothing there. A young one may stand among neighbours that say the "
        "same; without it nearly nothing changes.\n\n"
        "So BOLT asks for each observation how far the surrogate would move if it were gone. The "
        "distance is the Wasserstein distance W\N{SUBSCRIPT TWO} between the surrogate with it and "
        "the surrogate without it, added up over the box and the near future. Whoever moves it "
        "least leaves. The paper proves that this is also what disturbs the choice of the next "
        "look least. Stale is what no longer matters, whatever its age.",
        "who_leaves",
    ),
    Section(
        "how-to-read-this-app",
        "How to read this app",
        "How do the clocks differ?",
        "A run lives by its own clock, and the clock decides what thinking costs. **wall** is real "
        "time, as in the paper: honest only while nothing else uses the machine. **cpu** counts "
        "the processor seconds the algorithm itself used, times a slowdown, plus the declared "
        "price of each look: neighbours and viewers do not change it. **model** charges a declared "
        "R(n), so a run is the same on every machine, however fast it is computed.\n\n"
        "In the Arena lower is better: average regret is what an algorithm lost to the moving "
        "optimum per query, without the random queries of the warm-up. Beside it stands how many "
        "observations each one keeps. Inside BOLT looks into one run: the measured R(n), the curve "
        "whose peak is n*, and the relevance of every observation kept. All settings are in the "
        "address bar: a link shows somebody else what you see. Every number names its clock, and "
        "regrets of different clocks do not belong in one table.",
        "clocks",
    ),
)

ASSUMPTIONS = (
    (
        "f is a sample of a Gaussian process",
        "Nobody knows the process of a real objective. Hyperparameters are learned as the run goes "
        "on; where f is no such sample (Schwefel, Ackley fit badly) the guarantee says little.",
    ),
    (
        "Space and time separate: k = \N{GREEK SMALL LETTER LAMDA} k_S k_T",
        "One l_T for all places and times. WLAN moves only where users walk, Temperature is calm "
        "at night: a single rate is then a compromise.",
    ),
    (
        "k_S and k_T are stationary, k_S > 0, k_T falls with age alone",
        "A periodic objective, a day after a day, would make old data useful again; such a k_T "
        "does not fall, and n* would drop what returns.",
    ),
    (
        "f is Lipschitz in space, with high probability",
        "Fails for rough kernels: Mat\u00e9rn-1/2 in space, and jumps. WLAN jumps when a user "
        "changes node, but in time, where a rough kernel is allowed.",
    ),
    (
        "R(0) > 0, R never falls, and grows without bound",
        "Measured times scatter. The fit here is a cubic with no negative coefficient, so it keeps "
        "the promise at every n; while R still looks constant, there is no limit yet.",
    ),
    (
        "The acquisition function is Lipschitz in mean and deviation",
        "True for GPUCB. For expected improvement near zero deviation take it with care.",
    ),
)

GLOSSARY = (
    ("f(x, t)", "the objective: x in the unit box, t in seconds; larger is better"),
    ("t, H", "time on the run's own clock; the horizon at which a run ends"),
    ("n", "dataset size: observations kept now"),
    ("R(n)", "response time: seconds from one look to the next with n observations kept"),
    ("R(0)", "what a look costs by itself"),
    ("n*", "recommended size: the n at which \u2016u_n\u2016\u00b2 is largest"),
    ("u_n", "the vector of k_T(i R(n)), i = 1 to n: what each observation still says about now"),
    ("\u2016u_n\u2016\u00b2", "its squared length: what all of them say; n* maximises it"),
    ("k_S, k_T", "correlation in space, in time; 1 for the same point, falling with distance"),
    ("l_S", "spatial lengthscale, in units of the box: how far one look speaks for others"),
    ("l_T", "temporal lengthscale, in seconds: how long a look stays of use"),
    ("\u03bb", "signal variance: how much f varies"),
    ("\u03c3\u2080\u00b2", "noise variance of an observation"),
    ("W\u2082", "relevance score: how far the surrogate moves without one observation"),
    ("stale", "an observation with a small W\u2082, old or not"),
    ("surrogate", "the Gaussian process that stands for f: a mean and a deviation everywhere"),
    ("instant regret", "r_i = f(x*, t_i) \u2212 f(x_i, t_i): lost in one query"),
    ("cumulative regret", "the sum of instant regrets so far"),
    ("average regret", "cumulative regret over queries, without warm-up: the headline number"),
    ("wall, cpu, model", "the three clocks: real time, processor time, declared time"),
    ("warm-up", "the 15 random queries every run begins with"),
    ("quasi-static", "l_T is so much longer than R(n) that f stands still while one looks"),
    ("near-constant R", "thinking is cheap even with all the data the horizon allows"),
)

KEYS = (
    ("S", "start a race, or stop the one you watch"),
    ("F", "freeze the charts; the race goes on"),
    ("P", "presenter mode, and out of it again"),
    ("Space", "play or pause a replay"),
    ("Left, Right", "one step back or on in a replay; a chapter, in presenter mode"),
)
