// The loop of a problem: the next setting as large numbers, how long it stays fresh, the field for its
// measurement. It is drawn from the head of every answer of the server, so that measurements over HTTP
// show without a rerun of the page; presses are sent to the page, whose answer says what became of them.
import { add, component, moment } from './dom.js';
import { forget, race } from './store.js';
import { narrow } from './theme.js';

const TICK_MS = 1000;
const ASK_AGAIN_MS = 3000;  // a lost request is repeated
const NO_ASK = -1;  // typing began while no setting was shown
const UNDO = 'Take back the last measurement; its setting is shown again';
const NO_UNDO = 'Nothing is left to take back: Undo reaches back to the start, or to the last change of a knob. Correct a value in the table.';
const WAIT_MS = 20_000;  // for the answer to a press; then the buttons can be pressed again

let shown = null;  // the problem that was opened last: another one begins at the top of the page

const icon = (parent, name) => add(parent, 'span', { className: 'bolt-icon', 'aria-hidden': true, textContent: name });

// A time as 42 s, 4:05 min, 3.1 h.
const span = s => s < 100 ? `${Math.round(s)} s` : s < 5400 ? `${Math.floor(s / 60)}:${String(Math.floor(s % 60)).padStart(2, '0')} min`
  : s < 172_800 ? `${(s / 3600).toFixed(1)} h` : `${(s / 86_400).toFixed(1)} days`;
const withUnit = ({ value, unit }) => unit ? `${value}\u00a0${unit}` : value;

class Operator {
  static id = data => data.race;

  constructor(root, data) {
    this.race = race(data.race);
    this.box = add(root, 'section', { className: 'bolt-operator', 'aria-label': 'Next setting' });
    const head = add(this.box, 'div', { className: 'bolt-operator-head' });
    this.title = add(head, 'h2', { textContent: 'Next setting' });
    this.fresh = add(head, 'span', { className: 'bolt-fresh' });
    this.tiles = add(this.box, 'dl', { className: 'bolt-tiles', 'aria-live': 'polite' });
    this.note = add(this.box, 'p', { className: 'bolt-operator-note' });
    this.form = this.entry();
    this.said = add(this.box, 'p', { className: 'bolt-said', role: 'status' });
    this.best = add(this.box, 'p', { className: 'bolt-best-now' });
    this.status = add(this.box, 'p', { className: 'bolt-operator-note bolt-limit' });
    this.race.rows.add(this);
    if (shown !== data.race) document.querySelector('[data-testid=stMain]')?.scrollTo(0, 0);
    shown = data.race;
    this.timer = setInterval(() => this.count(), TICK_MS);
  }

  entry() {
    const form = add(this.box, 'form', { className: 'bolt-entry', autocomplete: 'off' });
    const field = add(form, 'label');
    this.label = add(field, 'span');
    this.input = add(field, 'input', { type: 'text', inputMode: 'decimal', name: 'measurement', enterKeyHint: 'done' });
    const button = (name, text, symbol, title, type = 'button') => {
      const el = add(form, 'button', { type, title, className: `bolt-${name}` });
      icon(el, symbol);
      add(el, 'span', { textContent: text });
      if (type === 'button') el.onclick = () => this.send({ do: name });
      return el;
    };
    this.buttons = {
      save: button('save', 'Save', 'check', 'Save this measurement and show the next setting (Enter)', 'submit'),
      failed: button('failed', 'Failed', 'close', 'The measurement failed: this setting gave no value'),
      skip: button('skip', 'Skip', 'skip_next', 'Do not try this setting; show another one'),
      undo: button('undo', 'Undo', 'undo', UNDO),
      otherwise: button('otherwise', 'Adjust', 'edit', 'Type the setting that was really applied'),
    };
    this.buttons.otherwise.onclick = () => this.setOtherwise(!this.otherwise);
    this.input.oninput = () => this.bind();
    form.onsubmit = event => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (text) this.send({ do: 'save', text });
      else { this.say('Type the measured value first.', true); this.input.focus(); }
    };
    return form;
  }

  // A value belongs to the setting that was shown when typing began, whatever others tell meanwhile.
  bind() {
    if (!this.input.value.trim()) this.bound = null;
    else this.bound ??= { id: this.row?.next?.id ?? NO_ASK, knobs: this.row?.next?.knobs ?? [] };
  }

  // The plant was set otherwise than asked for: the values become fields.
  setOtherwise(on) {
    this.otherwise = on;
    this.buttons.otherwise.setAttribute('aria-pressed', on);
    for (const tile of this.tiles.children) delete tile.dataset.is;
    if (this.row) this.draw();
    if (on) this.tiles.querySelector('input')?.select();
  }

  // Called for every rerun of the page and every change of theme.
  set({ race: id, row, may, answer, tell }) {
    Object.assign(this, { tell, may, state: row.state, since: performance.now() });
    if (answer && answer.key === this.sent?.key) this.settle(answer);
    if (!this.race.row || row.version >= this.race.row.version) this.take(row);
    this.race.row = this.row;
    this.race.expect(true);
    this.race.schedule();
    if (!this.focused && may && !narrow()) this.input.focus({ preventScroll: true });
    this.focused = true;
  }

  // Called with every answer of the server to a poll.
  update() {
    const { row, error, last } = this.race;
    if (error) { this.say(error, true); return; }
    if (row && (!this.row || row.version >= this.row.version || row.state !== this.row.state)) this.take(row);
    const changed = row.state !== this.state && last >= this.since, now = performance.now();
    if (changed && now - (this.askedAt ?? -Infinity) >= ASK_AGAIN_MS) {
      this.askedAt = now;
      this.tell({ do: 'refresh', key: row.state });
    }
  }

  take(row) {
    this.row = row;
    this.taken = performance.now();
    this.draw();
  }

  draw() {
    const { row, may } = this, { outcome, next, newest, best, warmup } = row;
    if (this.otherwise && this.box.dataset.ask !== String(next?.id ?? '')) {
      this.former ??= this.fields();
      this.otherwise = false;
      this.buttons.otherwise.setAttribute('aria-pressed', false);
    }
    this.box.dataset.version = row.version;
    this.box.dataset.ask = next?.id ?? '';
    this.box.dataset.told = row.told;
    this.title.textContent = row.running ? 'The plant is measuring' : next ? 'Next setting' : 'No setting yet';
    this.fill(this.tiles, row.running ? row.applied : next?.knobs ?? []);
    this.note.textContent = this.words(row);
    this.note.hidden = !this.note.textContent;
    this.form.hidden = !may || row.running;
    this.label.textContent = outcome.unit ? `Measured ${outcome.name} (${outcome.unit})` : `Measured ${outcome.name}`;
    this.buttons.undo.title = row.can_undo ? UNDO : NO_UNDO;
    this.buttons.undo.disabled = !row.can_undo || Boolean(this.sent);
    for (const name of ['save', 'failed', 'skip', 'otherwise']) this.buttons[name].disabled = !next || Boolean(this.sent);
    this.best.replaceChildren();
    if (best) {
      add(this.best, 'b', { textContent: 'Best now, as far as is known: ' });
      this.best.append(best.knobs.map(knob => `${knob.name} ${withUnit(knob)}`).join(', '));
      this.best.append(' \u2192 ');
      add(this.best, 'span', { className: 'bolt-estimate', textContent: withUnit({ value: best.value, unit: outcome.unit }) });
      if (best.age) add(this.best, 'span', { className: 'bolt-old', textContent: `. ${best.age}` });
    }
    this.best.hidden = !best;
    this.status.textContent = row.words;
    this.status.hidden = Boolean(warmup) || row.running || !row.told;
    if (newest && row.version !== this.saidFor && !this.sent) {
      this.saidFor = row.version;
      this.say(`Last: ${newest.value === null ? 'failed' : withUnit({ value: newest.value, unit: outcome.unit })} at ${moment(newest.at)}, ${row.told} told.`);
    }
    if (!newest) this.say('');
    this.count();
  }

  words({ next, warmup, running, simulated }) {
    if (running) return 'A simulated plant measures two settings per second. The charts follow by themselves.';
    if (!next) return '';
    const beyond = next.beyond ? `${next.beyond} ` : '';
    const explores = next.explores ? 'This setting explores: it is a random one among those that may still be the best. ' : '';
    const others = explores + beyond + (next.others ? `${next.others} more ${next.others === 1 ? 'setting is' : 'settings are'} without a result.` : '');
    if (warmup) return `Warm-up: ${warmup.made} of ${warmup.of} measurements made. Until then settings are random. ${others}`.trim();
    return simulated ? `The simulated plant rests. Start it again, or type values yourself. ${others}`.trim() : others.trim();
  }

  fill(list, knobs) {
    while (list.children.length > knobs.length) list.lastChild.remove();
    knobs.forEach((knob, i) => {
      const tile = list.children[i] ?? add(list, 'div');
      const is = JSON.stringify([knob, this.otherwise]);
      if (tile.dataset.is === is) return;
      tile.dataset.is = is;
      tile.replaceChildren();
      add(tile, 'dt', { textContent: knob.name });
      const value = add(tile, 'dd');
      if (this.otherwise) {
        const field = add(value, 'input', { type: 'text', value: this.former?.[i] ?? knob.value, 'aria-label': `${knob.name} as it was set` });
        field.onkeydown = event => { if (event.key === 'Enter') { event.preventDefault(); this.input.focus(); } };
      } else add(value, 'strong', { textContent: knob.value });
      if (knob.unit) add(value, 'span', { textContent: knob.unit });
      if (knob.change) add(tile, 'dd', { className: `bolt-change${knob.change === 'same' ? ' bolt-same' : ''}`, textContent: knob.change });
    });
  }

  // How long the setting stays fresh, counted here without a request.
  count() {
    const next = this.row?.next;
    this.fresh.hidden = !next || (next.fresh === null && !next.ageless) || Boolean(this.row.warmup) || this.row.running;
    if (this.fresh.hidden) return;
    const left = next.ageless ? Infinity : next.fresh - (performance.now() - this.taken) / 1000;
    const words = left === Infinity ? 'does not age' : left > 0 ? `fresh for ${span(left)}`
      : `stale for ${span(-left)}: Skip gives a newer one`;
    if (this.fresh.textContent !== words) this.fresh.textContent = words;
    this.fresh.classList.toggle('bolt-stale', left <= 0);
  }

  send(message) {
    if (this.sent) return;
    const key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    const setting = this.otherwise && message.do !== 'skip' ? this.fields() : null;
    const shown = this.row.next?.id ?? null, ask = message.do === 'save' ? this.bound?.id ?? shown : shown;
    this.sent = { ...message, key, setting, ask, told: this.row.told };
    this.box.setAttribute('aria-busy', 'true');
    this.box.dataset.sent = performance.now();
    this.tell(this.sent);
    this.late = setTimeout(() => this.settle({ error: 'The server has not answered. Press again; nothing is stored twice.' }), WAIT_MS);
    this.draw();
  }

  fields() { return [...this.tiles.querySelectorAll('input')].map(field => field.value); }

  // The setting of a typed value has its result already: say which it was, and keep the text. The next
  // Save is for the setting that is shown now.
  changedMeanwhile() {
    const { knobs } = this.bound, at = knobs.map(knob => `${knob.name} ${withUnit(knob)}`).join(', ');
    this.former = knobs.map(knob => knob.value);
    this.bound = null;
    return `The setting has changed since you began to type. Was this measured at ${at}? Then press Adjust, which fills that in, `
      + 'and Save. If it was measured at the setting shown now, press Save.';
  }

  // What became of the last press.
  settle({ error, changed }) {
    const { do: what } = this.sent ?? {};
    if (changed && what === 'save' && this.bound?.knobs.length) error = this.changedMeanwhile();
    else if (changed) this.bound = null;
    clearTimeout(this.late);
    this.sent = null;
    this.box.removeAttribute('aria-busy');
    if (error) this.say(error, true);
    else {
      if (what === 'save' || what === 'failed') { this.input.value = ''; this.bound = this.former = null; this.otherwise = false; this.buttons.otherwise.setAttribute('aria-pressed', false); }
      this.said.classList.remove('bolt-wrong');
      this.saidFor = null;
    }
    if (!narrow() || what === 'save') this.input.focus({ preventScroll: true });
    if (error) this.input.select();
    if (this.row) this.draw();
    if (error) this.say(error, true);
  }

  say(words, wrong = false) {
    if (!wrong && this.said.classList.contains('bolt-wrong') && words) return;  // until the next press
    this.said.classList.toggle('bolt-wrong', wrong);
    if (this.said.textContent !== words) this.said.textContent = words;
    this.input.setAttribute('aria-invalid', wrong);
  }

  remove() {
    clearInterval(this.timer);
    clearTimeout(this.late);
    this.race.rows.delete(this);
    this.box.remove();
    forget(this.race.id);
  }
}

export const { mount, unmount } = component(Operator);
