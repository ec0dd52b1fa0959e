// A link to the present moment of a replay, to be copied.
import { address, copy } from './moment.js';
import { find } from './player.js';

const links = new WeakMap();

class Link {
  constructor(root, id) {
    this.player = find(id);
    this.box = root.appendChild(document.createElement('div'));
    this.box.className = 'bolt-transport bolt-share';
    this.words = this.box.appendChild(document.createElement('code'));
    this.button = this.box.appendChild(Object.assign(document.createElement('button'), { type: 'button' }));
    this.button.onclick = async () => {
      await copy(this.words.textContent);
      this.button.textContent = 'Copied';
    };
    this.watch = () => this.show();
    this.player?.watchers.add(this.watch);
    this.show();
  }

  show() {
    const at = this.player && this.player.t < this.player.span ? this.player.t : null;
    const url = address(at);
    if (this.words.textContent === url) return;
    this.words.textContent = url;
    this.button.textContent = 'Copy';
  }

  remove() {
    this.player?.watchers.delete(this.watch);
    this.box.remove();
  }
}

export function mount(root, { race }) {
  links.get(root)?.remove();
  links.set(root, new Link(root, race));
}

export function unmount(root) {
  links.get(root)?.remove();
  links.delete(root);
}
