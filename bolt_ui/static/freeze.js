// Freeze: the charts of a race hold still while the race continues; the button counts newer queries.
import { forget, race } from './store.js';

const buttons = new WeakMap();

class Button {
  constructor(root, id) {
    this.race = race(this.id = id);
    const bar = this.bar = root.appendChild(document.createElement('div'));
    bar.className = 'bolt-transport';
    this.button = bar.appendChild(Object.assign(document.createElement('button'), { type: 'button' }));
    this.button.setAttribute('aria-keyshortcuts', 'F');
    this.button.onclick = () => this.race.freeze(this.race.frozen === null);
    this.words = bar.appendChild(document.createElement('span'));
    this.watch = () => this.show();
    this.race.watchers.add(this.watch);
    this.listen = event => this.key(event);
    document.addEventListener('keydown', this.listen);
    this.show();
  }

  key(event) {
    const typing = event.target.closest?.('input, textarea, select, [contenteditable]');
    if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey && event.key.toLowerCase() === 'f') this.button.click();
  }

  show() {
    const frozen = this.race.frozen !== null;
    this.button.textContent = frozen ? 'Unfreeze' : 'Freeze';
    this.button.title = frozen ? 'Update the charts again (F)' : 'Hold the charts still; the race continues (F)';
    this.button.setAttribute('aria-pressed', frozen);
    this.words.textContent = frozen ? `Charts frozen; ${this.race.behind.toLocaleString('en')} queries newer` : '';
  }

  remove() {
    document.removeEventListener('keydown', this.listen);
    this.race.watchers.delete(this.watch);
    if (this.race.frozen !== null) this.race.freeze(false);
    this.bar.remove();
    forget(this.id);
  }
}

export function mount(root, data) {
  if (buttons.get(root)?.id === data.race) return;
  buttons.get(root)?.remove();
  buttons.set(root, new Button(root, data.race));
}

export function unmount(root) {
  buttons.get(root)?.remove();
  buttons.delete(root);
}
