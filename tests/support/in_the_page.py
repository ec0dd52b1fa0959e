"""What browser tests ask the page, and what they compute themselves from a record's lines."""

import json
import math

ARGS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars",
]  # fmt: skip
RANDOM = "/?cut=full&algos=random"
IDLE = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  const drawn = '[data-testid=stMainBlockContainer] [data-testid=stElementContainer]';
  const ok = app?.dataset.testConnectionState === 'CONNECTED'
    && app.dataset.testScriptState === 'notRunning' && document.querySelector(drawn);
  window.__since = ok ? (window.__since ?? performance.now()) : undefined;
  return ok && performance.now() - window.__since > 400; }"""
READ = """key => {
  const p = document.querySelector(`.st-key-${key} .bolt-panel`), g = p.querySelector('.bolt-plot');
  return { version: +p.dataset.version, names: g._fullData.map(t => t.name),
           last: Math.max(...g._fullData[0].x), colours: g._fullData.map(t => t.line.color),
           range: [...g._fullLayout.xaxis.range],
           y_range: [...g._fullLayout.yaxis.range], tag: g.dataset.tag ?? null,
           alt: p.getAttribute('aria-label'), role: p.getAttribute('role'),
           caption: p.querySelector('figcaption').textContent }; }"""
REACHED = """([key, version]) =>
  +(document.querySelector(`.st-key-${key} .bolt-panel`)?.dataset.version ?? -1) >= version"""
FINAL = """() => [...__boltStore.races.values()].every(race =>
  [...race.panels].every(panel => race.entry(panel.name).final))"""
SAME = """async () => {  // every chart as patches have made it, against one fetched anew
  const [race] = __boltStore.races.values(), names = [...race.charts.keys()];
  const url = new URL('bolt-api/frames', document.baseURI);
  url.searchParams.set('race', race.id);
  for (const name of names) url.searchParams.append('c', `${name};`);
  const { frames } = await (await fetch(url)).json();
  const sorted = v => Array.isArray(v) ? v.map(sorted) : v && typeof v === 'object'
    ? Object.fromEntries(Object.keys(v).sort().map(k => [k, sorted(v[k])])) : v;
  const text = chart => JSON.stringify(sorted(chart));
  return names.map(name => {
    const mine = race.charts.get(name), { serial, chart } = frames[name];
    return [name, mine.serial === serial, text(mine.chart) === text(chart)]; }); }"""
INSIDE = """() => {
  const p = document.querySelector('.st-key-fit .bolt-panel'), g = p.querySelector('.bolt-plot');
  const trace = name => g._fullData.find(t => t.name === name);
  const points = name => [[...trace(name).x], [...trace(name).y]];
  return { version: +p.dataset.version, tag: g.dataset.tag ?? null,
           rule: g._fullLayout.shapes.find(s => s.type === 'line')?.x0 ?? null,
           argmax: [...(trace('argmax')?.x ?? [])], fitted: points('fitted'),
           dots: trace('measured').x.length }; }"""
RULED = """() => document.querySelector('.st-key-fit .bolt-plot')?._fullLayout?.shapes
  ?.some(s => s.type === 'line') ?? false"""
TAKEN = """() => document.addEventListener('keydown', () => {
  window.__taken ??= document.querySelector('.st-key-run button').dataset.pressed; })"""
MIDDLE = """() => {
  const r = document.querySelector('.st-key-regret .nsewdrag').getBoundingClientRect();
  return [r.x + 0.02 * r.width, r.y + 0.5 * r.height]; }"""
GIVEN_RANGES = """key => {  // of the chart as it was sent, without a zoom
  const [race] = __boltStore.races.values();
  const [, entry] = [...race.charts].find(([name]) => name.startsWith(`${key};`));
  const { xaxis, yaxis } = entry.chart.layout;
  return [xaxis.range, yaxis.range]; }"""
UNZOOMED = f"""key => {{
  const g = document.querySelector(`.st-key-${{key}} .bolt-plot`);
  const near = (drawn, given) => drawn.every((v, i) => Math.abs(v - given[i]) < 1e-9);
  const [x, y] = ({GIVEN_RANGES})(key);
  return near(g._fullLayout.xaxis.range, x) && near(g._fullLayout.yaxis.range, y); }}"""


def last_pass(home, race_id):
    """The BOLT run of a race: its last pass and the sizes measured before it, as JSON."""
    for path in (home / "runs").glob("*.jsonl"):
        header, *lines = [json.loads(line) for line in path.read_text().splitlines()]
        if header["race_id"] == race_id and header["config"]["algorithm"] == "bolt":
            passes = [line for line in lines if line["kind"] == "iteration"]
            return passes[-1], max(p["n"] for p in passes[:-1] if not p["warmup"])
    raise AssertionError(f"no record of {race_id}")


def by_brute_force(last, seen):
    """n* from the record's own numbers: every size up to the cap, Matern-3/2 in time."""
    c, floor = last["notes"]["response"], last["notes"]["response_floor"]
    l_T = last["theta"]["lengthscale_time"]

    def u_squared(n):
        R = max(sum(c_j * n**j for j, c_j in enumerate(c)), floor)
        r = [math.sqrt(3.0) * i * R / l_T for i in range(1, n + 1)]
        return math.fsum(((1 + s) * math.exp(-s)) ** 2 for s in r)

    return max(range(1, max(2 * seen, 200)), key=u_squared)
