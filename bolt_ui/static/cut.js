// A plot at an earlier moment of its race: later points are left out, and the names at the ends of
// the lines move with them.
const GAP = 15;  // pixels between the centres of two names
const LONGEST = 16, WIDTH = 7.8, MARGIN = 14;  // a name in one line on a phone: characters; pixels of one, and beside them
const SMALL_WIDTH = 6.4;  // pixels of a small letter

export const cuttable = chart => chart.kind === 'strip'
  || (chart.kind === 'plot' && (chart.times ?? []).some(times => times !== null));

export function cut(chart, cursor) {
  const data = chart.data.map((trace, i) => cutTrace(trace, chart.times[i], cursor));
  const ends = new Map();
  data.forEach((trace, i) => {
    if (chart.times[i] !== null && trace.mode === 'lines' && trace.x.length) ends.set(trace.name, trace);
  });
  const annotations = chart.layout.annotations.flatMap(note => {
    const full = chart.data.find(trace => trace.name === note.text && trace.meta === note.name);
    if (!full) return [note];
    const trace = ends.get(note.text);
    if (!trace) return [];
    const [x, y] = end(full, trace.x.length, clippable(chart) ? cursor : null);
    const logged = chart.layout.yaxis.type === 'log';
    return [{ ...note, x, y: logged ? Math.log10(Math.max(y, 1e-300)) : y, yshift: 0, moves: true }];
  });
  return { ...chart, data, layout: { ...chart.layout, annotations } };
}

// If x is the time, the past lies left of the cursor: curves are drawn once and then uncovered.
// Traces that extend beyond the axes cannot be clipped.
export const clippable = chart =>
  chart.times.every((times, i) => times === 'x' && chart.data[i].cliponaxis !== false);

// The end of a line with n points; for a clipped line, the point at which the cursor cuts it.
function end({ x, y, line }, n, cursor) {
  if (cursor === null || n >= x.length || x[n] === null) return [x[n - 1], y[n - 1]];
  const share = line?.shape === 'hv' ? 0 : (cursor - x[n - 1]) / (x[n] - x[n - 1]);
  return [cursor, y[n - 1] + share * (y[n] - y[n - 1])];
}

function cutTrace(trace, times, cursor) {
  if (times === null) return trace;
  const when = times === 'x' ? trace.x : times;
  const there = when.map(t => t === null || t <= cursor);
  if (there.every(Boolean)) return trace;
  const pick = values => values.filter((_, i) => there[i]);
  const made = { ...trace, x: pick(trace.x), y: pick(trace.y) };
  for (const name of ['customdata', 'text']) if (Array.isArray(trace[name])) made[name] = pick(trace[name]);
  if (Array.isArray(trace.marker?.color)) made.marker = { ...trace.marker, color: pick(trace.marker.color) };
  return made;
}

// Names at the ends of lines were spaced for a chart of normal height; on a phone they are spaced again.
// So are those of points that are named in one column, beside the last of them.
export const loosened = chart => chart.layout.annotations.map(note =>
  chart.data.some(t => (t.mode === 'lines' || t.legendgroup === 'column') && t.name === note.text && t.meta === note.name)
    ? { ...note, yshift: 0, moves: true } : note);

// Long names take most of a phone's width: they are broken at commas, and the margin shrinks with them.
export function wrapped(layout) {
  const named = (layout.annotations ?? []).filter(note => note.name && note.text?.length > LONGEST);
  if (!layout.margin) return layout;
  if (!named.some(note => note.text.includes(', '))) return narrowed(layout);
  const lines = note => note.text.split(', ').reduce((made, part) => {
    const whole = made.length ? `${made.at(-1)}, ${part}` : part;
    return whole.length <= LONGEST ? [...made.slice(0, -1), whole] : [...made, part];
  }, []);
  const annotations = layout.annotations.map(note => named.includes(note) ? { ...note, text: lines(note).join(',<br>'), align: 'left' } : note);
  const longest = Math.max(...annotations.flatMap(note => note.name ? note.text.split('<br>').map(line => line.length) : []));
  return { ...layout, annotations, margin: { ...layout.margin, r: Math.min(layout.margin.r, MARGIN + WIDTH * longest) } };
}

// The margin for names at the ends of lines has room for capital letters; small ones need less.
function narrowed(layout) {
  const ends = (layout.annotations ?? []).filter(note => note.moves);
  if (!ends.length) return layout;
  const pixels = ({ text }) => [...text].reduce((sum, letter) => sum + (/[a-z ]/.test(letter) ? SMALL_WIDTH : WIDTH), MARGIN);
  return { ...layout, margin: { ...layout.margin, r: Math.min(layout.margin.r, Math.max(...ends.map(pixels))) } };
}

const height = ({ text }) => GAP * text.split('<br>').length;

// Space the names that move, from the lowest up; `axis` is plotly's y axis.
export function nudge(annotations, axis, scale = 1) {
  if (!annotations.some(note => note.moves)) return annotations;
  const length = axis._length ?? 200, [low, high] = axis.range;
  const moving = annotations.filter(note => note.moves)
    .map(note => ({ note, pixel: (note.y - low) / (high - low) * length }))
    .sort((a, b) => a.pixel - b.pixel);
  let floor = -Infinity;
  for (const one of moving) {
    one.half = scale * height(one.note) / 2;
    one.spot = Math.max(one.pixel, floor + one.half);
    floor = one.spot + one.half;
  }
  let ceiling = length;
  for (const one of moving.reverse()) {
    one.spot = Math.min(one.spot, ceiling - one.half);
    ceiling = one.spot - one.half;
  }
  const shifts = new Map(moving.map(({ note, pixel, spot }) => [note, Math.round(spot - pixel)]));
  return annotations.map(note => note.moves ? { ...note, yshift: shifts.get(note) } : note);
}
