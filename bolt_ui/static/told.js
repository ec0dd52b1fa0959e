// The table of what was told. Its owner presses a value, types the right one, and Enter sends it; a row
// that is being edited is left alone by newer charts.
import { add } from './dom.js';

const FAILED = 'failed';

export function create(body) {
  const frame = add(body, 'div', { className: 'bolt-table bolt-told', tabIndex: 0, role: 'region', ariaLabel: 'Measurements' });
  const table = add(frame, 'table'), head = add(add(table, 'thead'), 'tr'), rows = add(table, 'tbody');
  let editing = null;  // { id, input }
  return {
    caption: chart => chart,
    draw(chart, view) {
      head.replaceChildren();
      const heading = (text, number) => add(head, 'th', { scope: 'col', className: number ? 'bolt-number' : '', textContent: text });
      heading('Time');
      chart.knobs.forEach(knob => heading(knob, true));
      heading(chart.outcome, true);
      if (editing && !chart.rows.some(row => row.id === editing.id)) editing = null;
      const known = new Map([...rows.children].map(tr => [+tr.dataset.id, tr]));
      rows.replaceChildren(...chart.rows.map(row => {
        const tr = known.get(row.id) ?? document.createElement('tr');
        tr.dataset.id = row.id;
        if (editing?.id !== row.id) fill(tr, row, chart, view);
        return tr;
      }));
      editing?.input.focus({ preventScroll: true });
      return true;
    },
    destroy() {},
  };

  function fill(tr, row, chart, view) {
    tr.replaceChildren();
    const time = add(tr, 'th', { scope: 'row', textContent: when(row.t, chart.origin) });
    if (row.random) time.title = 'A random setting of the warm-up';
    row.cells.forEach(text => add(tr, 'td', { className: 'bolt-number', textContent: text }));
    const cell = add(tr, 'td', { className: 'bolt-number' });
    const shown = row.y === null ? FAILED : row.shown;
    if (!view.editable) { cell.textContent = shown; if (row.corrected) mark(cell); return; }
    const button = add(cell, 'button', { type: 'button', title: 'Correct this value', textContent: shown });
    button.setAttribute('aria-label', `Correct ${shown}, measured ${time.textContent}`);
    if (row.corrected) mark(button);
    button.onclick = () => edit(cell, tr, row, chart, view);
  }

  function mark(el) { add(el, 'span', { className: 'bolt-corrected', title: 'Corrected', textContent: '*' }); }

  function edit(cell, tr, row, chart, view) {
    cell.replaceChildren();
    const input = add(cell, 'input', { type: 'text', inputMode: 'decimal', value: row.y === null ? FAILED : String(row.y) });
    input.setAttribute('aria-label', `The right value, or the word ${FAILED}; Enter saves, Escape leaves it`);
    editing = { id: row.id, input };
    const close = () => { editing = null; fill(tr, row, chart, view); tr.querySelector('button')?.focus({ preventScroll: true }); };
    input.onkeydown = event => {
      if (event.key === 'Escape') close();
      if (event.key !== 'Enter') return;
      event.preventDefault();  // it would press the button that gets the focus
      const text = input.value.trim();
      const same = text === (row.y === null ? FAILED : String(row.y));
      close();
      if (!same && text) view.tell?.({ row: row.id, text, key: `${Date.now()}` });
    };
    input.onblur = () => { if (editing?.input === input && !document.hidden && input.isConnected) close(); };
    input.focus({ preventScroll: true });
    input.select();
  }
}

// The local time of day, with the date if it is not today; without an origin the seconds.
function when(t, origin) {
  if (origin === null) return `${t.toFixed(1)} s`;
  const at = new Date(1000 * (origin + t)), today = new Date().toDateString() === at.toDateString();
  const time = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(part => String(part).padStart(2, '0')).join('-');
  return today ? time : `${date} ${time}`;
}
