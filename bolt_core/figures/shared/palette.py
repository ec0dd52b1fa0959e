"""One colour, dash, marker symbol and width per algorithm, the same in every chart.

Each colour has a contrast of at least 3:1 with its background (WCAG 1.4.11), and pairs of colours
stay distinct under the three simulated colour-vision deficiencies. Since so many hues are never
safe by colour alone, each algorithm also has its own dash and its own symbol. Variants take their
parent's colour, and its symbol hollow or crossed; baselines are grey. An x marks a failed run and a
thin cross the optimum, so neither is a symbol of an algorithm. tools/palette.py measures the
distances and searched for the colours of SW-GPUCB and W-GPUCB.
"""

from dataclasses import dataclass, replace

LIGHT_BACKGROUND, DARK_BACKGROUND = "#FFFFFF", "#12161C"  # as in .streamlit/config.toml


@dataclass(frozen=True, slots=True)
class LineStyle:
    """Colours on the light and on the dark background, dash and width (pixels), marker symbol."""

    light: str
    dark: str
    dash: str
    symbol: str  # in plotly's names
    width: float = 2.0


PALETTE = {  # in the order in which names are shown where there is no room for all
    "bolt": LineStyle("#D62A0B", "#F26A4B", "solid", "circle", 3.0),
    "w-dbo": LineStyle("#17308F", "#3F74E8", "dash", "square"),
    "tv-gpucb": LineStyle("#147A4E", "#85F0A8", "dot", "diamond"),
    "r-gpucb": LineStyle("#C18425", "#F4AF2C", "dashdot", "triangle-up"),
    "et-gpucb": LineStyle("#6B1462", "#B94A7C", "longdash", "triangle-down"),
    "abo": LineStyle("#3699D1", "#1FB0F5", "longdashdot", "star"),
    "sw-gpucb": LineStyle("#8A0CF0", "#6C54AE", "6px 2px", "cross"),
    "w-gpucb": LineStyle("#423C00", "#F6EA36", "10px 3px 3px 3px", "pentagon"),
    "gpucb": LineStyle("#4B515E", "#B8C4D1", "2px 4px", "hourglass"),
    "random": LineStyle("#7A8290", "#8A93A1", "dot", "triangle-right"),
}
PLUGIN_STYLES = (  # for algorithms of other packages, chosen by their key
    LineStyle("#7A5C3E", "#C9A27C", "5px 2px", "triangle-left"),
    LineStyle("#00737A", "#4FD1D9", "8px 3px 2px 3px", "bowtie"),
    LineStyle("#8A6D00", "#D8C24A", "1px 3px", "hexagram"),
)
VARIANTS = {  # dash, and symbol
    "bolt-literal": ("dash", "circle-open"),
    "bolt-oldest": ("dashdot", "circle-open-dot"),
    "bolt-random": ("dot", "circle-cross-open"),
    "bolt-keep": ("longdash", "circle-x-open"),
    "bolt-plain": ("longdashdot", "diamond-wide"),
    "abo-t": ("dash", "star-open"),
    "et-gpucb-fixed-noise": ("dot", "triangle-down-open"),
}
BASELINES = {  # dash, and symbol; the colour is that of `random`
    "hold": ("longdash", "hexagon"),
    "extremum-seeking": ("dashdot", "star-triangle-up"),
    "ui-tvbo": ("6px 3px 2px 3px", "star-diamond"),
}
FURTHER_LANES = (  # of one algorithm: dash that no first lane has, and what its symbol ends with
    ("14px 4px", "-open"),
    ("4px 4px 1px 4px", "-open-dot"),
    ("1px 2px", "-dot"),
    ("9px 2px 1px 2px 1px 2px", "-open"),
)


def line_style(key: str, nth: int = 0) -> LineStyle:
    """Return how the nth lane of the algorithm `key` is drawn; 0 is the first lane."""
    style = _first_lane(key)
    if not nth:
        return style
    _, ending = FURTHER_LANES[(nth - 1) % len(FURTHER_LANES)]
    # A variant begins one dash later, so that its second lane differs from that of its parent.
    dash, _ = FURTHER_LANES[(nth - 1 + (key in VARIANTS)) % len(FURTHER_LANES)]
    shape = style.symbol.partition("-open")[0]
    crossed = shape.endswith(("-x", "-cross"))  # plotly knows them filled and open only
    return replace(style, dash=dash, symbol=shape if crossed else shape + ending)


def label_priority(key: str) -> int:
    """Return the rank by which names are shown where there is no room for all; 0 is first."""
    return list(PALETTE).index(key) if key in PALETTE else len(PALETTE)


def _first_lane(key: str) -> LineStyle:
    if key in PALETTE:
        return PALETTE[key]
    if key in BASELINES:
        dash, symbol = BASELINES[key]
        return replace(PALETTE["random"], dash=dash, symbol=symbol)
    parent = next((name for name in PALETTE if key.startswith(f"{name}-")), None)
    if key in VARIANTS and parent is not None:
        dash, symbol = VARIANTS[key]
        return replace(PALETTE[parent], dash=dash, symbol=symbol, width=2.0)
    return PLUGIN_STYLES[sum(key.encode()) % len(PLUGIN_STYLES)]
