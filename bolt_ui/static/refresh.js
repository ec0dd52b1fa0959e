// How often the charts of every race are refreshed; this browser remembers the choice.
import { add } from './dom.js';
import { pace, setPace } from './store.js';

const CHOICES = [[1000, 'Refresh: 1 s'], [2000, 'Refresh: 2 s'], [5000, 'Refresh: 5 s'], [null, 'Refresh: off']];

export function mount(root) {
  let select = root.querySelector('select');
  if (!select) {
    const title = 'How often the charts are redrawn; the race does not depend on it';
    select = add(add(root, 'div', { className: 'bolt-transport' }), 'select', { title, 'aria-label': 'Refresh the charts' });
    select.append(...CHOICES.map(([ms, words]) => new Option(words, String(ms))));
    select.onchange = () => setPace(select.value === 'null' ? null : +select.value);
  }
  select.value = String(pace());
}

export function unmount(root) { root.replaceChildren(); }
