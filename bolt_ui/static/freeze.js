// Freeze: the charts of a race hold still while the race continues; the button counts newer queries.
import { add, component, typing } from './dom.js';
import { forget, race } from './store.js';

class Button {
  static id = data => data.race;

  constructor(root, data) {
    this.race = race(data.race);
    this.bar = add(root, 'div', { className: 'bolt-transport' });
    this.button = add(this.bar, 'button', { type: 'button', 'aria-keyshortcuts': 'F' });
    this.button.onclick = () => this.race.freeze(this.race.frozen === null);
    this.words = add(this.bar, 'span');
    this.watch = () => this.show();
    this.race.watchers.add(this.watch);
    this.listen = event => { if (!typing(event) && event.key.toLowerCase() === 'f') this.button.click(); };
    document.addEventListener('keydown', this.listen);
    this.show();
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
    forget(this.race.id);
  }
}

export const { mount, unmount } = component(Button);
