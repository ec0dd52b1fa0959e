// The predictions of a class: one bar per option, and how many have answered. They are requested while
// the tab is visible; the page is run again when state or question are no longer those it was drawn with.
import { add, component } from './dom.js';

const LONGEST = 15000;
const stateOf = view => `${view.question} ${view.state}`;

class Tally {
  static id = data => `${data.code} ${data.options.length}`;

  constructor(root, { options }) {
    this.box = add(root, 'div', { className: 'bolt-tally' });
    this.total = add(this.box, 'p', { role: 'status' });
    this.list = add(this.box, 'ul');
    this.rows = options.map(option => {
      const row = add(this.list, 'li'), label = add(row, 'span', { textContent: option });
      const mark = add(label, 'em'), track = add(row, 'div', { 'aria-hidden': true }), bar = add(track, 'i');
      return { row, mark, bar, count: add(row, 'b') };
    });
    this.summary = add(this.box, 'p');
    this.see = () => this.schedule(0);
    document.addEventListener('visibilitychange', this.see);
    this.failures = 0;
  }

  // Called for every rerun of the page and every change of theme.
  set({ code, view, bars, own, period, large, tell }) {
    Object.assign(this, { code, bars, own, period, tell, state: stateOf(view), asked: null });
    this.box.classList.toggle('bolt-large', large);
    this.draw(view);
    this.schedule(period);
  }

  schedule(ms) {
    clearTimeout(this.timer);
    if (!document.hidden) this.timer = setTimeout(() => this.poll(), ms);
  }

  async poll() {
    const url = new URL('bolt-api/tally', document.baseURI);
    url.searchParams.set('code', this.code);
    try {
      const answer = await fetch(url, { cache: 'no-store' });
      if (!this.box.isConnected) return;
      this.failures = 0;
      if (answer.ok) this.take(await answer.json());
      else if (answer.status === 404) { this.notice('unknown'); return; }
    } catch { this.failures += 1; }
    if (this.box.isConnected) this.schedule(Math.min(this.period * 2 ** this.failures, LONGEST));
  }

  take(view) {
    if (stateOf(view) === this.state) this.draw(view);
    else this.notice(stateOf(view));
  }

  notice(state) {
    if (this.asked === state) return;
    this.asked = state;
    this.tell(state);
  }

  draw({ answers, counts, outcome, summary }) {
    const total = `${answers} ${answers === 1 ? 'answer' : 'answers'}`;
    if (this.total.textContent !== total) this.total.textContent = total;
    const shown = this.bars && counts;
    this.list.hidden = !shown;
    this.summary.textContent = shown ? summary : '';
    if (!shown) return;
    this.rows.forEach(({ row, mark, bar, count }, k) => {
      const share = answers ? Math.round(100 * counts[k] / answers) : 0;
      bar.style.width = `${share}%`;
      count.textContent = answers ? `${counts[k]} (${share} %)` : '0';
      mark.textContent = [k === this.own && 'your answer', k === outcome && 'came true'].filter(Boolean).join(', ');
      row.classList.toggle('bolt-true', k === outcome);
    });
  }

  remove() {
    clearTimeout(this.timer);
    document.removeEventListener('visibilitychange', this.see);
    this.box.remove();
  }
}

export const { mount, unmount } = component(Tally);
