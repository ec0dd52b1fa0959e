// The style of an algorithm as a small picture: its line with its dash, and the symbol of its markers in
// the middle. Symbols have plotly's names; those with "-open" are hollow.
import { dashes } from './theme.js';

const MIDDLE = 20, RADIUS = 4.5;  // pixels
const around = (count, first, radii = [1]) => Array.from({ length: count }, (_, i) => {
  const angle = (first + 360 * i / count) * Math.PI / 180, radius = radii[i % radii.length];
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
});
const SHAPES = {
  circle: around(24, 0),
  square: around(4, 45, [1.2]),
  diamond: around(4, 0, [1.2]),
  'diamond-wide': [[-1.6, 0], [0, -.8], [1.6, 0], [0, .8]],
  'triangle-up': around(3, -90, [1.2]),
  'triangle-down': around(3, 90, [1.2]),
  'triangle-left': around(3, 180, [1.2]),
  'triangle-right': around(3, 0, [1.2]),
  star: around(10, -90, [1.35, .55]),
  cross: around(12, -18.4, [1.05, 1.05, .47]),
  pentagon: around(5, -90, [1.15]),
  hexagon: around(6, -90, [1.1]),
  'star-triangle-up': around(6, -90, [1.4, .45]),
  'star-diamond': around(8, -90, [1.35, .5]),
  hexagram: around(12, -90, [1.2, .7]),
  hourglass: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  bowtie: [[-1, -1], [-1, 1], [1, -1], [1, 1]],
};

const INSIDE = { dot: 'M0 0h.01', cross: 'M-4.5 0h9M0 -4.5v9', x: 'M-3.2 -3.2l6.4 6.4M-3.2 3.2l6.4 -6.4' };  // a hollow symbol

// As wide as two of the longest dashes, so that lines differ beside the symbol.
export const PICTURE = '<svg width="40" height="12" viewBox="0 0 40 12" aria-hidden="true"><line x1="1" y1="6" x2="39" y2="6"/><polygon/>'
  + `<path transform="translate(${MIDDLE} 6)" fill="none" stroke-linecap="round"/></svg>`;

export function style(svg, colour, ground, dash, symbol) {
  const [line, marker, inside] = svg.children, parts = (symbol ?? 'circle').split('-'), hollow = parts.includes('open');
  const name = parts.filter(part => part !== 'open' && !(part in INSIDE && parts[0] !== part)).join('-');
  const shape = SHAPES[name] ?? SHAPES.circle, mark = INSIDE[parts.slice(1).find(part => part in INSIDE)];
  const attributes = (el, values) => Object.entries(values).forEach(([key, value]) => el.setAttribute(key, value));
  attributes(line, { stroke: colour, 'stroke-width': 2.5, 'stroke-dasharray': dashes(dash ?? '') });
  attributes(marker, {
    points: shape.map(([x, y]) => `${(MIDDLE + RADIUS * x).toFixed(1)},${(6 + RADIUS * y).toFixed(1)}`).join(' '),
    fill: hollow ? ground : colour, stroke: hollow ? colour : ground, 'stroke-width': 1.2,
  });
  attributes(inside, { d: mark ?? '', stroke: hollow ? colour : ground, 'stroke-width': mark === INSIDE.dot ? 3 : 1.2 });
}
