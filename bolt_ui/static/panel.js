// One panel of a page: a chart drawn by the module of its kind, with its caption below.
import { add, component } from './dom.js';
import * as plot from './plot.js';
import * as steps from './steps.js';
import * as strip from './strip.js';
import * as table from './table.js';
import * as text from './text.js';
import * as told from './told.js';
import { attend, join, race, spotlight } from './store.js';
import { narrow } from './theme.js';

const KINDS = { plot, steps, strip, table, text, told };
const UNDESCRIBED = 'A moment of the replay; its description is loading';

class Panel {
  constructor(root) {
    this.figure = add(root, 'figure', { className: 'bolt-panel', role: 'figure' });
    this.body = add(this.figure, 'div');
    this.caption = add(this.figure, 'figcaption');
    this.inSight = false;
    this.observer = new IntersectionObserver(([entry]) => {
      this.inSight = entry.isIntersecting;
      if (this.inSight && this.race) { race(this.race).schedule(true); race(this.race).remember(); this.update(); }
    }, { rootMargin: '100px' });
    this.observer.observe(this.figure);
  }

  // Called for every rerun of the page and every change of theme.
  set(data) {
    this.tell = data.tell;
    this.editable = Boolean(data.editable);
    this.stage = Boolean(data.stage);  // for an audience: larger, and as high as the screen
    this.figure.style.setProperty('--bolt-scale', this.stage && !narrow() ? 1.5 : 1);
    if (data.given) this.hold(data); else this.follow(data);
  }

  // A chart that was sent with the page: it belongs to no race, and nothing is fetched.
  hold({ given, view, height, file }) {
    if (given !== this.encoded) this.given = JSON.parse(given);
    Object.assign(this, { encoded: given, name: view, height, file });
    this.leave ??= attend(this);
    this.update(true);
  }

  follow({ chart, view, race: id, height, live }) {
    const name = `${chart};${view}`;
    this.height = height;
    this.live = live;
    if (this.race !== id || this.name !== name) {
      this.leave?.();
      Object.assign(this, { race: id, name, file: `bolt_${chart}`, drawn: null });
      delete this.figure.dataset.version;
      this.leave = join(id, this);
    }
    race(id).expect(live);
    this.update(true);
  }

  // Draw what the store has, unless it is drawn already. Only one drawing runs at a time; of those
  // requested meanwhile, only the newest is drawn afterwards.
  async update(anyway = false) {
    if (!this.figure.isConnected) return;  // it is being removed with its page
    this.figure.classList.toggle('bolt-frozen', !this.given && race(this.race).frozen !== null);
    const { chart, version, cursor = null, texts } = this.given
      ? { chart: this.given, version: 0 } : race(this.race).show(this.name);
    if (!chart) return;
    if (cursor !== null && this.drawn && !this.inSight && !anyway) {  // it is drawn when it becomes visible
      if (texts !== undefined) this.describe(chart, texts);
      return;
    }
    const lit = chart.inks?.[spotlight()] ? spotlight() : null;  // an algorithm that is not in the chart fades no other
    const view = { cursor, spotlight: lit, height: this.height, stage: this.stage, race: this.race, id: `${this.race} ${this.name}`, file: this.file, tell: this.tell, editable: this.editable, redraw: () => this.update(true) };
    const now = [chart, cursor, view.spotlight, this.height, this.stage, texts];
    if (this.drawing) { this.again = this.again || anyway || 'later'; return; }
    if (!anyway && this.drawn?.every((value, i) => value === now[i])) {
      this.describe(chart, texts);  // out of sight, the texts followed a replay without a drawing
      return this.note(version);
    }
    this.drawing = true;
    try {
      const done = await this.renderer(chart).draw(chart, view);
      if (done && view.id === `${this.race} ${this.name}`) {  // it may have been replaced meanwhile
        this.drawn = now;
        this.figure.parentElement?.style.removeProperty('min-height');
        this.describe(chart, texts);
        this.note(version);
      }
    } finally {
      this.drawing = false;
    }
    if (!this.again) return;
    const all = this.again === true;
    this.again = false;
    requestAnimationFrame(() => (this.race || this.given) && this.update(all));  // the browser may handle events in between
  }

  renderer(chart) {
    if (this.kind !== chart.kind) {
      this.shown?.destroy();
      this.body.replaceChildren();
      this.kind = chart.kind;
      this.figure.dataset.kind = chart.kind;
      this.shown = KINDS[chart.kind].create(this.body);
    }
    return this.shown;
  }

  // `texts` are those of the moment of a replay that is shown. Until they arrive (null) no text is
  // readable, and the caption keeps its room.
  describe(chart, texts) {
    const { alt, caption, chip } = texts === null ? { ...this.shown.caption(chart), alt: UNDESCRIBED }
      : texts ?? this.shown.caption(chart);
    this.caption.style.visibility = texts === null ? 'hidden' : '';
    this.figure.ariaLabel = alt || null;
    this.caption.hidden = !caption && !chip;
    const words = [chip ?? '', [caption, this.shown.extent?.(chart)].filter(Boolean).join(' ')];
    if (this.words?.every((word, i) => word === words[i])) return;
    this.words = words;
    this.caption.replaceChildren();
    if (chip) add(this.caption, 'span', { className: 'bolt-chip', textContent: chip });
    this.caption.append(words[1]);
    this.caption.style.minHeight = texts ? `${this.caption.offsetHeight}px` : '';  // it never shrinks in a replay
  }

  note(version) {
    if (this.drawn) this.figure.dataset.version = version;
  }

  remove() {
    this.leave?.();
    this.race = this.given = null;
    this.observer.disconnect();
    this.shown?.destroy();
  }
}

export const { mount, unmount } = component(Panel);
