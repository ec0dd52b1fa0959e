// Replay controls: play, step, speed and a slider with marks below it. Space plays, Left and Right
// step; the keys click the buttons, so that their effect is visible. With reduced motion nothing
// plays automatically.
import { add, clock, component, typing, unitOf } from './dom.js';
import * as marks from './marks.js';
import { address, asked, copy, forget, keep } from './moment.js';
import { leave, player } from './player.js';
import { reducedMotion, theme } from './theme.js';

// Of a race of hours or days, so many times as fast that it is replayed within minutes.
const SPEEDS = [1, 4, 20], USUAL_SECONDS = 600;
const hurry = span => unitOf(span)[1] === 's' ? 1 : 10 ** Math.ceil(Math.log10(span / USUAL_SECONDS));
const LINK = 'Copy a link to this moment';
const ICONS = {
  play: 'M8 5v14l11-7z', pause: 'M6 5h4v14H6zm8 0h4v14h-4z',
  link: 'M3.9 12a3.1 3.1 0 0 1 3.1-3.1h4V7H7a5 5 0 0 0 0 10h4v-1.9H7A3.1 3.1 0 0 1 3.9 12zM8 13h8v-2H8zm9-6h-4v1.9h4a3.1 3.1 0 0 1 0 6.2h-4V17h4a5 5 0 0 0 0-10z',
  done: 'M9 16.2 4.8 12l-1.4 1.4L9 19 21 7l-1.4-1.4z',
  back: 'M6 6h2v12H6zm12 0v12l-9-6z', forward: 'M16 6h2v12h-2zM6 18l9-6-9-6z',
};

const icon = name => `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;

function button(parent, label, html, key, press) {
  const title = key ? `${label} (${key})` : label;
  const el = add(parent, 'button', { type: 'button', innerHTML: html, title, onclick: press, 'aria-label': label });
  if (key) el.setAttribute('aria-keyshortcuts', key);
  return el;
}

class Bar {
  static id = data => `${data.race} ${data.span}`;  // a rerun does not interrupt a replay

  constructor(root, { race, span, autoplay, speed }) {
    this.player = player(race, span);
    const times = hurry(span);
    this.factors = SPEEDS.map(factor => factor * times);
    this.player.speed = speed * times;
    const bar = this.bar = add(root, 'div', { className: 'bolt-transport', role: 'group', 'aria-label': 'Replay' });
    this.keys = {
      ArrowLeft: button(bar, 'Step back', icon('back'), 'ArrowLeft', () => this.player.step(-1)),
      ' ': button(bar, 'Play', icon('play'), 'Space', () => this.player.playing ? this.player.pause() : this.player.play()),
      ArrowRight: button(bar, 'Step forward', icon('forward'), 'ArrowRight', () => this.player.step(1)),
    };
    const scrub = add(bar, 'div', { className: 'bolt-scrub' });
    this.slider = add(scrub, 'input', { type: 'range', min: 0, max: span * (1 + 1e-6), step: span / 1000,
      oninput: () => this.player.seek(this.wanted(span)), 'aria-label': 'Time' });
    this.marks = marks.create(scrub, span, t => this.player.seek(t));
    this.readout = add(bar, 'output');
    const group = add(bar, 'span', { className: 'bolt-group' });
    this.speeds = this.factors.map(factor => button(group, `Speed ${factor} times`, `${factor.toLocaleString('en')}\u00d7`, '',
      () => { this.player.speed = factor; this.show(); }));
    this.link = button(bar, LINK, icon('link'), '', () => this.copied());
    this.watch = () => this.show();
    this.player.watchers.add(this.watch);
    this.listen = event => this.key(event);
    document.addEventListener('keydown', this.listen);
    const at = asked();
    if (at !== null && at < span) this.player.seek(at);
    else if (autoplay && !reducedMotion()) { this.player.t = 0; this.player.play(); }
  }

  // Called for every rerun of the page, which may have changed the address.
  set(data) {
    this.marks.set(data.marks);
    this.tint();
    this.show();
  }

  get moment() { return this.player.t < this.player.span ? this.player.t : null; }

  async copied() {
    const at = this.player.t;
    await copy(address(this.moment));
    this.linked = at;
    this.show();
  }

  // The last of the slider's thousand positions is the end, in spite of rounding: the maximum is slightly
  // larger than the span, since that position could be missing otherwise.
  wanted(span) {
    const at = +this.slider.value;
    return at > .9985 * span ? span : at;
  }

  // The browser's slider in the colours of the theme.
  tint() { this.bar.style.colorScheme = theme(this.bar).dark ? 'dark' : 'light'; }

  key(event) {
    if (!this.keys[event.key] || typing(event, 'button, a, [role=slider], [role=combobox]')) return;
    event.preventDefault();
    this.keys[event.key].click();
  }

  show() {
    const { t, span, playing, speed } = this.player, play = this.keys[' '];
    if (this.playing !== playing) {
      this.playing = playing;
      play.innerHTML = icon(playing ? 'pause' : 'play');
      play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
      play.title = playing ? 'Pause (Space)' : 'Play (Space)';
    }
    this.slider.value = t;
    this.slider.setAttribute('aria-valuetext', `${clock(t, span)} of ${clock(span, span)}`);
    this.readout.textContent = `${clock(t, span)} / ${clock(span, span)}`;
    this.speeds.forEach((el, i) => el.setAttribute('aria-pressed', this.factors[i] === speed));
    this.offer(this.linked === t);
    if (!playing) keep(this.moment);
  }

  // Show the link button, or that the link has been copied.
  offer(done) {
    if (this.done === done) return;
    this.done = done;
    this.link.innerHTML = icon(done ? 'done' : 'link');
    this.link.title = done ? 'Copied' : LINK;
    this.link.setAttribute('aria-label', done ? 'Link copied' : LINK);
  }

  remove() {
    document.removeEventListener('keydown', this.listen);
    this.player.watchers.delete(this.watch);
    this.marks.destroy();
    forget();
    leave(this.player);
    this.bar.remove();
  }
}

export const { mount, unmount } = component(Bar);
