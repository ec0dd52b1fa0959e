// How often the panels of every race look for something new; this browser remembers it.
import { pace, setPace } from './store.js';

const CHOICES = [[1000, 'every 1 s'], [2000, 'every 2 s'], [5000, 'every 5 s'], [null, 'paused']];

export function mount(root) {
  let select = root.querySelector('select');
  if (!select) {
    const bar = root.appendChild(document.createElement('div'));
    bar.className = 'bolt-transport';
    select = bar.appendChild(document.createElement('select'));
    select.setAttribute('aria-label', 'Refresh the charts');
    select.title = 'How often the charts are drawn anew; the race goes on all the same';
    select.append(...CHOICES.map(([ms, words]) => new Option(words, String(ms))));
    select.onchange = () => setPace(select.value === 'null' ? null : +select.value);
  }
  select.value = String(pace());
}

export function unmount(root) { root.replaceChildren(); }
