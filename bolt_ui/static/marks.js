// Marks under the slider: the density of removals, and one tick per reset in the colour of its
// algorithm. Drawn on a canvas, since there may be thousands; a click seeks to that moment.
import { add, clock } from './dom.js';
import { theme } from './theme.js';

const HEIGHT = 14, DENSITY = 9, NEAR = 4;  // pixels: a reset is higher than the removals

export function create(parent, span, seek) {
  const canvas = add(parent, 'canvas', { className: 'bolt-marks', role: 'img' });
  let marks = {};
  const at = event => event.offsetX / canvas.clientWidth * span;
  const paint = () => draw(canvas, marks, span);
  const observer = new ResizeObserver(paint);
  observer.observe(parent);
  canvas.onclick = event => seek(nearest(marks, at(event), NEAR / canvas.clientWidth * span)?.t ?? at(event));
  canvas.onmousemove = event => { canvas.title = tooltip(marks, at(event), span, NEAR / canvas.clientWidth * span); };
  return {
    set(newMarks) {
      marks = newMarks ?? {};
      canvas.hidden = !marks.removed;
      canvas.setAttribute('aria-label', marks.alt ?? '');
      canvas.title = marks.alt ?? '';
      paint();
    },
    destroy() { observer.disconnect(); },
  };
}

function draw(canvas, { removed, rows, inks }, span) {
  const width = canvas.clientWidth, ratio = window.devicePixelRatio || 1;
  if (!width || !removed) return;
  canvas.width = Math.round(width * ratio);
  canvas.height = HEIGHT * ratio;
  const to = canvas.getContext('2d'), look = theme(canvas.parentElement), most = Math.max(...removed);
  to.scale(ratio, ratio);
  to.fillStyle = look.ink;
  to.globalAlpha = .4;
  const wide = width / removed.length;
  removed.forEach((count, i) => {
    const high = count && Math.max(2, DENSITY * Math.sqrt(count / most));  // small counts stay visible
    to.fillRect(i * wide, HEIGHT - high, wide, high);
  });
  to.globalAlpha = 1;
  for (const row of rows) {
    to.fillStyle = look.colour(inks, row.key) ?? look.ink;
    for (const t of row.resets) to.fillRect(Math.min(t / span * width, width - 2), 0, 2, HEIGHT);
  }
}

function nearest({ rows }, t, reach) {
  const all = (rows ?? []).flatMap(row => row.resets.map(reset => ({ t: reset, label: row.label })));
  const close = all.filter(one => Math.abs(one.t - t) <= reach);
  return close.sort((a, b) => Math.abs(a.t - t) - Math.abs(b.t - t))[0];
}

// The text for the moment under the pointer.
function tooltip(marks, t, span, reach) {
  const reset = nearest(marks, t, reach);
  if (reset) return `${clock(reset.t, span)}: reset of ${reset.label}`;
  const bins = marks.removed ?? [], count = bins[Math.min(Math.floor(t / span * bins.length), bins.length - 1)];
  return `${clock(t, span)}: ${count || 'no'} removal${count === 1 ? '' : 's'}`;
}
