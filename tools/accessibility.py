"""Check the pages of a running dashboard with axe-core, in both themes and two widths.

    npm pack axe-core && tar xzf axe-core-*.tgz package/axe.min.js
    python -m tools.accessibility package/axe.min.js http://localhost:8501 [race=ID | id=ID]

With the id of a race or of a problem, only the pages that show it are checked. Findings in elements
of this project and in those of Streamlit are counted apart; the exit code is 1 if one of ours is
serious or critical.
"""

import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

PAGES = ("", "inside", "lab", "benchmarks", "problem", "runs", "scoreboard", "guide")
PAGES_BY_PARAMETER = {"race": ("", "inside"), "id": ("problem",)}
WIDTHS = {1366: 768, 390: 844}  # pixels: width and height of the screen
SEVERE = ("serious", "critical")
DRAWN_MS = 5000  # until the charts of a page are drawn
CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
RUN_AXE = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  const ours = target => Boolean(document.querySelector(target)?.closest('.bolt-root'));
  return violations.flatMap(rule => rule.nodes.map(node => ({
    rule: rule.id, impact: rule.impact, target: node.target.flat().join(' '),
    html: node.html.slice(0, 160), why: node.any[0]?.message ?? '',
    ours: ours(node.target.flat()[0]),
  })));
}"""

Finding = dict[str, Any]


def findings(page: Page, axe_file: Path, url: str) -> list[Finding]:
    """Return what axe reports about a page that is opened for it."""
    page.goto(url)
    page.wait_for_selector("[data-test-connection-state=CONNECTED]", timeout=30_000)
    page.wait_for_timeout(DRAWN_MS)
    page.add_script_tag(content=axe_file.read_text(encoding="utf-8"))
    found: list[Finding] = page.evaluate(RUN_AXE)
    return found


def check(browser: Browser, axe_file: Path, base: str, query: str) -> tuple[int, Counter[str]]:
    """Print our findings; return how many of them are severe, and Streamlit's by rule."""
    severe, others = 0, Counter[str]()
    for width, height in WIDTHS.items():
        for theme in ("light", "dark"):
            page = browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme="dark" if theme == "dark" else "light",
            )
            for name in PAGES_BY_PARAMETER.get(query.partition("=")[0], PAGES):
                for one in findings(page, axe_file, f"{base.rstrip('/')}/{name}?{query}"):
                    if not one["ours"]:
                        others[f"{one['impact']} {one['rule']}: {one['html'][:90]}"] += 1
                        continue
                    severe += one["impact"] in SEVERE
                    where = f"/{name} {theme} {width}"
                    sys.stdout.write(
                        f"{where}: {one['impact']} {one['rule']}, {one['why']}\n    {one['html']}\n"
                    )
            page.close()
    return severe, others


def main() -> int:
    """Check all pages of the server and return the exit code."""
    axe_file, base, query = (*sys.argv[1:4], "")[:3]
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        severe, others = check(browser, Path(axe_file), base, query)
        browser.close()
    sys.stdout.write(f"{severe} serious or critical findings of ours\nStreamlit's own:\n")
    for finding, count in others.most_common():
        sys.stdout.write(f"  {count} x {finding}\n")
    return 1 if severe else 0


if __name__ == "__main__":
    sys.exit(main())
