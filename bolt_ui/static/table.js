// A table whose rows may belong to algorithms and then show their line style. A click on a name
// highlights the algorithm on the whole page. Row elements are reused, so that the focus is kept.
import { toggleSpotlight } from './store.js';
import { PICTURE, style } from './symbol.js';
import { theme } from './theme.js';

const make = (tag, attributes = {}, text = null) => {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, value);
  if (text !== null) el.textContent = text;
  return el;
};

export function create(body) {
  const frame = body.appendChild(make('div', { class: 'bolt-table', tabindex: 0 }));
  const table = frame.appendChild(make('table'));
  const head = table.appendChild(make('thead')).appendChild(make('tr'));
  const rows = table.appendChild(make('tbody'));
  const known = new Map();
  return {
    caption: chart => chart,
    draw(chart, view) {
      const look = theme(frame);
      frame.classList.toggle('bolt-wide', chart.columns.some(column => column.key));
      frame.classList.toggle('bolt-whole', Boolean(chart.whole));
      head.replaceChildren(...chart.columns.map(column => heading(column, chart, look)));
      const focused = document.activeElement;
      const wanted = chart.rows.map((row, i) => {
        const id = row.key ? `${row.key} ${named(chart, row)}` : i;  // rows without an algorithm are identified by position
        if (!known.has(id)) known.set(id, make('tr'));
        fill(known.get(id), row, chart, view, look);
        return known.get(id);
      });
      if (wanted.length !== rows.children.length || wanted.some((row, i) => rows.children[i] !== row)) {
        rows.replaceChildren(...wanted);
        if (rows.contains(focused)) focused.focus({ preventScroll: true });
      }
      return true;
    },
    destroy() {},
  };
}

const nameColumn = chart => chart.columns.findIndex(column => column.align !== 'right');
const named = (chart, row) => row.cells[nameColumn(chart)];

function heading(column, chart, look) {
  const el = make('th', { scope: 'col', class: column.align === 'right' ? 'bolt-number' : '' });
  el.textContent = column.unit ? `${column.name} (${column.unit})` : column.name;
  if (column.key) swatch(el, column.key, chart, look);
  if (column.help) el.title = column.help;
  if (!column.name && column.help) el.setAttribute('aria-label', column.help);
  return el;
}

function fill(tr, row, chart, view, look) {
  const place = nameColumn(chart);
  tr.classList.toggle('bolt-away', Boolean(view.spotlight && row.key && row.key !== view.spotlight));
  row.cells.forEach((cell, i) => {
    const is = tr.children[i] ?? tr.appendChild(i === place ? make('th', { scope: 'row' }) : make('td'));
    if (i === place && row.key) return name(is, cell, row, chart, view, look);
    is.className = chart.columns[i].align === 'right' ? 'bolt-number' : '';
    if (typeof cell === 'object') return rich(is, cell, view);
    if (is.textContent !== String(cell)) is.textContent = cell;
  });
  while (tr.children.length > row.cells.length) tr.lastChild.remove();
}

// A cell with a marked value, a second value in grey below it, and possibly a button.
function rich(td, cell, view) {
  const is = JSON.stringify(cell);
  if (td.dataset.is !== is) {
    td.dataset.is = is;
    const within = cell.press ? make('button', { type: 'button', class: 'bolt-cell', title: 'Show its runs' }) : td;
    within.replaceChildren(make('span', { class: cell.mark ? `bolt-${cell.mark}` : '' }, cell.text));
    if (cell.beside) within.appendChild(make('span', { class: 'bolt-beside' }, cell.beside));
    if (within !== td) td.replaceChildren(within);
  }
  if (cell.press) td.firstChild.onclick = () => view.tell?.(cell.press);
}

// The line and the symbol of an algorithm, above its column.
function swatch(th, key, chart, look) {
  th.insertAdjacentHTML('beforeend', PICTURE);
  paint(th.querySelector('svg'), { key }, chart, look);
}

function paint(svg, row, chart, look) {
  const ink = chart.inks[row.key];
  style(svg, look.colour(chart.inks, row.key) ?? look.ink, look.ground, row.dash ?? ink?.dash, row.symbol ?? ink?.symbol);
}

function name(th, label, row, chart, view, look) {
  let button = th.querySelector('button');
  if (!button) {
    button = th.appendChild(make('button', { type: 'button', title: 'Highlight in every chart' }));
    button.innerHTML = `${PICTURE}<span></span>`;
    button.onclick = () => toggleSpotlight(row.key);
  }
  paint(button.querySelector('svg'), row, chart, look);
  button.setAttribute('aria-pressed', view.spotlight === row.key);
  button.querySelector('span').textContent = row.failed ? `${label} (failed)` : label;
}
