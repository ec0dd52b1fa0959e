// A link to the present moment of a replay, to be copied.
import { add, component } from './dom.js';
import { address, copy } from './moment.js';
import { find } from './player.js';

class Link {
  static id = () => Symbol('link');  // made again for every rerun: the player may be another one

  constructor(root, { race }) {
    this.player = find(race);
    this.box = add(root, 'div', { className: 'bolt-transport bolt-share' });
    this.words = add(this.box, 'code');
    this.button = add(this.box, 'button', { type: 'button' });
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

export const { mount, unmount } = component(Link);
