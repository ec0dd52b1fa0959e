"""One colour, dash and width per algorithm, the same in every chart.

Each colour has a contrast of at least 3:1 with its background (WCAG 1.4.11), and pairs of colours
stay distinct under the three simulated colour-vision deficiencies. Since so many hues are never
safe by colour alone, each algorithm also has its own dash. Variants take their parent's colour;
`random` is grey and dotted. tools/palette.py measures the distances and searched for the colours of
SW-GPUCB and W-GPUCB.
"""

from dataclasses import dataclass, replace

LIGHT_BACKGROUND, DARK_BACKGROUND = "#FFFFFF", "#12161C"  # as in .streamlit/config.toml


@dataclass(frozen=True, slots=True)
class LineStyle:
    """Colours on the light and on the dark background, dash and width (pixels) of a line."""

    light: str
    dark: str
    dash: str
    width: float = 2.0


PALETTE = {  # in the order in which names are shown where there is no room for all
    "bolt": LineStyle("#D62A0B", "#F26A4B", "solid", 3.0),
    "w-dbo": LineStyle("#17308F", "#3F74E8", "dash"),
    "tv-gpucb": LineStyle("#147A4E", "#85F0A8", "dot"),
    "r-gpucb": LineStyle("#C18425", "#F4AF2C", "dashdot"),
    "et-gpucb": LineStyle("#6B1462", "#B94A7C", "longdash"),
    "abo": LineStyle("#3699D1", "#1FB0F5", "longdashdot"),
    "sw-gpucb": LineStyle("#8A0CF0", "#6C54AE", "6px 2px"),
    "w-gpucb": LineStyle("#423C00", "#F6EA36", "10px 3px 3px 3px"),
    "gpucb": LineStyle("#4B515E", "#B8C4D1", "2px 4px"),
    "random": LineStyle("#7A8290", "#8A93A1", "dot"),
}
PLUGIN_STYLES = (  # for algorithms of other packages, chosen by their key
    LineStyle("#7A5C3E", "#C9A27C", "5px 2px"),
    LineStyle("#00737A", "#4FD1D9", "8px 3px 2px 3px"),
    LineStyle("#8A6D00", "#D8C24A", "1px 3px"),
)
VARIANT_DASHES = {
    "bolt-literal": "dash",
    "bolt-oldest": "dashdot",
    "bolt-random": "dot",
    "abo-t": "dash",
    "et-gpucb-fixed-noise": "dot",
}
FURTHER_DASHES = (  # for the second, third, ... lane of an algorithm; no first lane has one
    "14px 4px",
    "4px 4px 1px 4px",
    "1px 2px",
    "9px 2px 1px 2px 1px 2px",
)


def line_style(key: str, nth: int = 0) -> LineStyle:
    """Return how the nth lane of the algorithm `key` is drawn; 0 is the first lane."""
    style = _first_lane(key)
    return replace(style, dash=FURTHER_DASHES[(nth - 1) % len(FURTHER_DASHES)]) if nth else style


def label_priority(key: str) -> int:
    """Return the rank by which names are shown where there is no room for all; 0 is first."""
    return list(PALETTE).index(key) if key in PALETTE else len(PALETTE)


def _first_lane(key: str) -> LineStyle:
    if key in PALETTE:
        return PALETTE[key]
    parent = next((name for name in PALETTE if key.startswith(f"{name}-")), None)
    if key in VARIANT_DASHES and parent is not None:
        return replace(PALETTE[parent], dash=VARIANT_DASHES[key], width=2.0)
    return PLUGIN_STYLES[sum(key.encode()) % len(PLUGIN_STYLES)]
