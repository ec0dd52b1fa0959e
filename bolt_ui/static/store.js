// The charts and the status row of a page, fetched together.
//
// One request per second (or at the period chosen in refresh.js) names the visible charts with their
// serials; the answer holds what has changed, and the status row. Until the first chart there are
// three per second. While the tab is hidden or the charts hold still, requests are for the status
// only: a race whose page requests nothing counts as unwatched. There are none once the race has
// ended and every panel has its last chart. If the server does not answer, they become rarer.
import { apply } from './delta.js';
import { cuttable } from './cut.js';
import { acknowledge } from './press.js';

const POLL = 1000, FIRST = 300, HIDDEN = 5000, REPLAY = 130, LONGEST = 15000, MOMENTS = 400, PACES = [1000, 2000, 5000, null];
const STORAGE_KEY = 'bolt-refresh';
const races = new Map();
const panels = new Set();
let spotlit = null;
let period = remembered();  // ms between two requests for a live race; null: paused

class Race {
  constructor(id) {
    Object.assign(this, {
      id, panels: new Set(), rows: new Set(), charts: new Map(), watchers: new Set(),
      live: true, row: null, version: 0, error: null,
      frozen: null, cursor: null, span: null, past: new Map(), unsure: new Set(), missed: 0,
      timer: null, busy: false, last: -Infinity, failures: 0,
    });
  }

  entry(name) { return this.charts.get(name) ?? { serial: null, version: -1, final: false, chart: null }; }

  // The charts to request now: those never fetched, those visible of a live race, and last charts.
  wanted() {
    if (document.hidden || this.error) return [];
    const names = [...this.panels].filter(panel => {
      const entry = this.entry(panel.name);
      if (!entry.chart) return true;
      return !entry.final && !this.held && (panel.inSight || !this.live);
    }).map(panel => panel.name);
    return [...new Set(names)];
  }

  // Frozen, or updates are paused; a race that has ended shows its end in the second case.
  get held() { return this.frozen !== null || (this.live && period === null); }

  // Nothing to request: neither a chart nor the status of a live race.
  get idle() { return !this.wanted().length && (this.error !== null || !this.live || !this.rows.size); }

  // Milliseconds between two requests.
  get pause() {
    if (this.failures) return Math.min(POLL * 2 ** this.failures, LONGEST);
    if (document.hidden) return HIDDEN;
    if (this.live && this.row?.soon) return FIRST;
    return this.live && this.frozen === null ? period ?? POLL : POLL;
  }

  schedule(soon = false) {
    if (this.busy || this.idle) return;
    const since = performance.now() - this.last;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.poll(), soon && !this.failures ? 20 : Math.max(this.pause - since, 20));
  }

  async poll() {
    if (this.busy || this.idle) return;
    this.busy = true;
    this.last = performance.now();
    try {
      const [row] = this.rows;
      const answer = await ask(this.id, this.wanted().map(name => [name, this.entry(name).serial]), { run: row?.run });
      this.take(answer);
      this.failures = 0;
    } catch (problem) {
      if (problem.words) { this.error = problem.words; this.tell(); } else this.failures += 1;
    }
    this.busy = false;
    this.schedule();
  }

  take({ version, live, row, frames }) {
    Object.assign(this, { version, live, row });
    for (const [name, { serial, version, final, chart, steps }] of Object.entries(frames)) {
      if (serial < 0) continue;  // not built yet
      const before = this.entry(name);
      const now = chart ?? (steps ?? []).reduce(apply, before.chart);
      this.charts.set(name, { serial, version, final, chart: now });
    }
    this.tell();
    this.remember();  // the page may have been opened in the middle of a replay
  }

  // Called by the page: the race may have ended, or have been continued after its end.
  expect(live) {
    if (live === this.live) return;
    this.live = live;
    if (live) for (const entry of this.charts.values()) entry.final = false;
    this.schedule(true);
  }

  tell() {
    for (const part of [...this.panels, ...this.rows]) part.update();
    for (const watcher of this.watchers) watcher(this);
  }

  // The chart to draw: the present one, or the one at the cursor of a replay. A chart that the browser
  // cuts comes with its texts (alt and caption) at the cursor, null until they have been fetched.
  show(name) {
    if (this.error) return { chart: { kind: 'text', text: this.error, tone: 'muted' }, version: -1 };
    const entry = this.entry(name);
    if (this.cursor === null || !entry.chart) return { ...entry, cursor: this.cursor };
    const past = this.past.get(name)?.chart ?? null;
    if (cuttable(entry.chart)) return { ...entry, cursor: this.cursor, texts: past };
    return { chart: past, version: entry.version, cursor: this.cursor };
  }

  seek(seconds, span, exact = false) {
    Object.assign(this, { span, exact });
    this.cursor = seconds >= span ? null : Math.max(seconds, 0);
    this.tell();
    this.remember();
  }

  // Charts that cannot be cut in the browser, and the texts of the others, are requested for the moment
  // of the cursor, at least five times per second. While the replay plays, moments are rounded, so
  // that viewers share charts.
  async remember() {
    if (this.cursor === null || this.remembering || this.error || document.hidden) return;
    const step = this.span / MOMENTS, at = this.exact ? this.cursor : Math.floor(this.cursor / step) * step;
    const isCut = name => cuttable(this.entry(name).chart);
    const names = [...new Set([...this.panels].filter(({ name, inSight }) => this.entry(name).chart
      && (inSight || isCut(name))).map(panel => panel.name))];  // texts can be read out of sight
    const known = names.every(name => this.past.get(name)?.at === at && !this.unsure.has(name));
    if (!names.length || known) return;
    this.remembering = true;
    const began = performance.now();
    try {
      const whole = names.filter(name => !isCut(name)).map(name => [name, null]);
      const { frames } = await ask(this.id, whole, { at: at.toFixed(3) }, names.filter(isCut));
      for (const [name, { chart, final }] of Object.entries(frames)) {
        if (chart) this.past.set(name, { at, chart });
        if (final) this.unsure.delete(name); else this.unsure.add(name);  // its scores are being computed
      }
      this.missed = 0;
      this.tell();
    } catch { this.missed += 1; }
    const rest = this.missed ? Math.min(POLL * 2 ** this.missed, LONGEST) : this.unsure.size ? POLL : REPLAY;
    setTimeout(() => { this.remembering = false; this.remember(); },
      Math.max(rest - (performance.now() - began), 20));
  }

  freeze(on) {
    this.frozen = on ? this.version : null;
    this.tell();
    this.schedule(true);
  }

  get behind() { return this.frozen === null ? 0 : this.version - this.frozen; }
}

async function ask(race, charts, rest, texts = []) {
  const url = new URL('bolt-api/frames', document.baseURI);
  for (const [name, value] of Object.entries({ race, ...rest })) if (value) url.searchParams.set(name, value);
  for (const [name, serial] of charts) url.searchParams.append('c', `${name};${serial ?? ''}`);
  for (const name of texts) url.searchParams.append('texts', name);
  const answer = await fetch(url, { cache: 'no-store' });
  if (answer.ok) return answer.json();
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  throw Object.assign(new Error(answer.statusText), isJson ? { words: (await answer.json()).error } : {});
}

export function race(id) {
  if (!races.has(id)) races.set(id, new Race(id));
  return races.get(id);
}

// Add a panel: { name, inSight, update() }. Returns a function that removes it.
export function join(id, panel) {
  const joined = race(id);
  joined.panels.add(panel);
  panels.add(panel);
  joined.schedule(true);
  return () => {
    joined.panels.delete(panel);
    panels.delete(panel);
    forget(id);
  };
}

// Drop a race that is no longer shown; it can be fetched again.
export function forget(id) {
  const one = races.get(id);
  if (!one || one.panels.size || one.rows.size || one.watchers.size) return;
  clearTimeout(one.timer);
  races.delete(id);
}

export const pace = () => period;

export function setPace(ms) {
  period = ms;
  try { localStorage.setItem(STORAGE_KEY, String(ms)); } catch { /* no storage */ }
  for (const one of races.values()) { clearTimeout(one.timer); one.schedule(true); }
}

function remembered() {
  try {
    const stored = localStorage.getItem(STORAGE_KEY), ms = stored === 'null' ? null : +(stored ?? POLL);
    return PACES.includes(ms) ? ms : POLL;
  } catch { return POLL; }
}

// Add a panel whose chart was sent with the page: it shares the highlight, and fetches nothing.
export function attend(panel) {
  panels.add(panel);
  return () => panels.delete(panel);
}

export const spotlight = () => spotlit;

export function toggleSpotlight(key) {
  spotlit = spotlit === key ? null : key;
  for (const panel of panels) panel.update();
}

// Highlight the panels of one chart; null: none.
export function light(chart) {
  for (const panel of panels) panel.figure?.classList.toggle('bolt-lit', chart !== null && panel.name.startsWith(`${chart};`));
}

acknowledge();
document.addEventListener('visibilitychange', () => races.forEach(one => one.schedule(true)));
window.addEventListener('online', () => races.forEach(one => { one.failures = 0; one.schedule(true); }));
window.__boltStore = { races };  // for tests
