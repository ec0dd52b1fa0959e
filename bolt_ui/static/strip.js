// The metronome: one row per algorithm, one tick per query. Drawn on a canvas, for thousands of ticks.
import { add, unitOf } from './dom.js';
import { theme } from './theme.js';

const SIZES = { row: 20, gap: 6, axis: 20, size: 12.5, tick: 1 };
const PARTS_OF_WINDOW = [[400, 5], [700, 2]];  // below so many pixels, the window is this many times as short
const OTHER_PIXELS = 390;  // height of a presentation outside the strip

export function create(body) {
  const canvas = add(body, 'canvas', { className: 'bolt-strip' });
  let again = () => {};
  const observer = new ResizeObserver(() => again());
  observer.observe(body);
  return {
    caption: chart => chart,
    extent: chart => {
      const seconds = windowOf(chart, body.clientWidth);
      return seconds ? `The strip spans ${inUnit(seconds, seconds).replace(' ', '\u00a0')}.` : '';
    },
    draw(chart, view) {
      again = () => paint(canvas, chart, view);
      again();
      return true;
    },
    destroy() { observer.disconnect(); },
  };
}

function paint(canvas, chart, view) {
  if (!canvas.isConnected) return;  // it is being removed with its page
  const look = theme(canvas.parentElement), ratio = window.devicePixelRatio || 1;
  const { row: tall, gap, axis, size, tick } = sizes(look.scale, view.stage, chart.rows.length), each = tall + gap;
  const width = canvas.parentElement.clientWidth, height = chart.rows.length * each + axis;
  if (!width) return;
  canvas.style.cssText = `width:${width}px;height:${height}px;display:block`;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const to = canvas.getContext('2d');
  to.scale(ratio, ratio);
  to.font = `${size}px ${look.font}`;
  to.textBaseline = 'middle';
  const left = Math.ceil(Math.max(0, ...chart.rows.map(row => to.measureText(row.label).width))) + 12;
  const cursor = view.cursor ?? Infinity, [from, until] = shown(chart, cursor, width);
  const x = t => left + (t - from) / (until - from || 1) * (width - left - 2), visible = t => t >= from && t <= cursor;
  chart.rows.forEach((row, i) => {
    const top = i * each, colour = look.colour(chart.inks, row.key) ?? look.ink;
    to.globalAlpha = view.spotlight && row.key && row.key !== view.spotlight ? .25 : 1;
    to.fillStyle = look.label(chart.inks, row.key) ?? look.ink;
    to.fillText(row.label, 0, top + tall / 2);
    to.fillStyle = colour;
    to.globalAlpha *= .6;  // overlapping ticks are darker
    for (const t of row.ticks) if (visible(t)) to.fillRect(x(t), top, tick, tall);
    to.fillStyle = look.ground;  // a removal is a notch
    for (const t of row.removed ?? []) if (visible(t)) to.fillRect(x(t) - .5, top + tall - 5, 2, 5);
  });
  to.globalAlpha = 1;
  for (const [t] of chart.changes ?? []) if (visible(t)) dashed(to, look, x(t), chart.rows.length * each);
  scale(to, look, { from, until, x, y: chart.rows.length * each + axis / 2, width });
  if (Number.isFinite(cursor)) {
    to.fillStyle = look.ink;
    to.fillRect(x(cursor), 0, tick, chart.rows.length * each);
  }
}

// The length of the part that is drawn: shorter on a narrow screen, where ticks could not be told apart.
function windowOf({ window: seconds }, width) {
  const [, parts] = PARTS_OF_WINDOW.find(([pixels]) => width && width < pixels) ?? [0, 1];
  return seconds && seconds / parts;
}

// The seconds that are drawn: the whole race, or the last part of it up to the moment shown.
function shown(chart, cursor, width) {
  const { span, rows } = chart, seconds = windowOf(chart, width);
  if (!seconds) return span;
  const now = Number.isFinite(cursor) ? cursor : Math.max(...rows.map(row => row.ticks.at(-1) ?? 0));
  return now <= seconds ? [0, seconds] : [now - seconds, now];
}

// A dashed line where the speed of the device was changed.
function dashed(to, look, x, height) {
  to.fillStyle = look.ink;
  for (let y = 0; y < height; y += 7) to.fillRect(x, y, 2, 4);
}

// For an audience the rows fill the height of the screen.
function sizes(scale, stage, rows) {
  const made = Object.fromEntries(Object.entries(SIZES).map(([name, value]) => [name, scale * value]));
  const room = (window.innerHeight - OTHER_PIXELS) / Math.max(rows, 1) - made.gap;
  return stage ? { ...made, row: Math.min(Math.max(room, made.row), 4 * made.row) } : made;
}

// A time in the unit of a strip of this length.
function inUnit(t, length) {
  const [unit, name] = unitOf(length);
  return `${+(t / unit).toPrecision(6)} ${name}`;
}

// Labels at round times, about one every 90 pixels.
function scale(to, look, { from, until, x, y, width }) {
  const [unit] = unitOf(until);
  const rough = (until - from) / unit / Math.max(width / 90, 1), ten = 10 ** Math.floor(Math.log10(rough || 1));
  const step = unit * ([1, 2, 5, 10].map(k => k * ten).find(s => s >= rough) ?? ten);
  to.fillStyle = look.ink;
  to.textAlign = 'center';
  for (let t = Math.ceil(from / step) * step; t <= until; t += step) {
    const label = inUnit(t, until), half = to.measureText(label).width / 2;
    to.fillText(label, Math.min(x(t), width - half - 1), y);
  }
  to.textAlign = 'left';
}
