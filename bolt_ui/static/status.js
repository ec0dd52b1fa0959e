// The status row of a race: badge, progress, and what the race waits for. It is drawn from the head of
// every answer; the page is run again when its state is no longer the one that it was drawn with.
import { add, component } from './dom.js';
import { load } from './plot.js';
import { forget, race } from './store.js';

const ASK_AGAIN_MS = 3000;  // a request is lost if its page is left before the server has taken it
const LEAVING_MS = 1500;  // a request just after the click on a link would bring the old page back
let drawn = null, asked = null, askedAt = 0;  // states: of the page; for which a rerun was requested. A remount keeps them
let clickedAt = -Infinity;  // a link
addEventListener('click', event => {
  if (event.composedPath().some(el => el.tagName === 'A')) clickedAt = performance.now();
}, true);

class Row {
  static id = data => data.race;

  constructor(root, data) {
    this.race = race(data.race);
    this.box = add(root, 'div', { className: 'bolt-status' });
    const badge = add(this.box, 'span', { className: 'bolt-badge', role: 'status' });
    const icon = add(badge, 'span', { className: 'bolt-icon', 'aria-hidden': true });
    const label = add(badge, 'span'), description = add(this.box, 'span');
    const chip = add(this.box, 'button', { type: 'button', className: 'bolt-disturbed' });
    add(chip, 'span', { className: 'bolt-icon', 'aria-hidden': true, textContent: 'warning' });
    chip.append('Timings disturbed');
    const disturbed = add(this.box, 'div', { className: 'bolt-note', popover: 'auto' });
    chip.popoverTargetElement = disturbed;
    const pair = add(this.box, 'span', { className: 'bolt-progress' });
    const share = add(pair, 'progress', { 'aria-label': 'Progress of the race' }), progress = add(pair, 'span');
    this.parts = { icon, badge: label, description, disturbed, share, progress, waiting: add(this.box, 'p'), compared: add(this.box, 'p', { className: 'bolt-compared' }) };
    this.race.rows.add(this);
    load();  // plotly.js, before there is a chart
  }

  // Called for every rerun of the page and every change of theme.
  set({ race: id, row, run, live, tell }) {
    if (drawn !== `${id} ${row.state}`) asked = null;
    drawn = `${id} ${row.state}`;
    Object.assign(this, { run, tell, state: row.state, since: performance.now() });
    this.race.row = row;
    this.race.expect(live);
    this.update();
    this.race.schedule(true);
  }

  update() {
    const { row, error, last } = this.race, state = error ? 'unknown' : row.state;
    this.draw(row);
    clearTimeout(this.again);
    const stale = !error && last < this.since;  // requested before the page was run again
    if (state === this.state || stale) return;
    const now = performance.now(), leaving = clickedAt + LEAVING_MS - now;
    if (leaving <= 0 && (state !== asked || now - askedAt >= ASK_AGAIN_MS)) {
      [asked, askedAt] = [state, now];
      this.tell(state);
    }
    this.again = setTimeout(() => this.update(), leaving > 0 ? leaving : askedAt + ASK_AGAIN_MS - now);
  }

  draw(row) {
    for (const [name, el] of Object.entries(this.parts)) {
      const value = row[name];
      if (name === 'share') el.value = value ?? 0;
      else if (el.textContent !== (value ?? '')) el.textContent = value ?? '';
      el.toggleAttribute('hidden', value === null || value === undefined);
    }
    this.box.style.setProperty('--bolt-tone', `var(--st-${row.colour}-text-color)`);
    this.box.style.setProperty('--bolt-wash', `var(--st-${row.colour}-background-color)`);
  }

  remove() {
    clearTimeout(this.again);
    this.race.rows.delete(this);
    this.box.remove();
    forget(this.race.id);
  }
}

export const { mount, unmount } = component(Row);
