// The chapters of a presentation, changed by a click or by Left and Right; Escape leaves it. The keys
// are handled in the capture phase, so that they never step a replay.
import { add, component, typing } from './dom.js';
import { load } from './plot.js';

class Bar {
  constructor(root) {
    load();  // plotly.js: the next chapter may be the first that needs it
    this.nav = add(root, 'nav', { className: 'bolt-chapters', 'aria-label': 'Chapters' });
    this.listen = event => this.key(event);
    window.addEventListener('keydown', this.listen, true);
  }

  set({ titles, chosen, tell }) {
    this.tell = tell;
    if (this.nav.children.length !== titles.length) {
      this.nav.replaceChildren();
      titles.forEach((title, i) => add(this.nav, 'button', { type: 'button', textContent: `${i + 1} ${title}`, onclick: () => this.turn(i) }));
    }
    this.mark(chosen);
  }

  mark(chosen) {
    this.chosen = chosen;
    [...this.nav.children].forEach((el, i) => {
      el.ariaCurrent = i === chosen ? 'step' : null;
    });
  }

  turn(to) {
    if (to === this.chosen || to < 0 || to >= this.nav.children.length) return;
    this.mark(to);  // at once; the page is run again afterwards
    this.tell(to);
  }

  key(event) {
    if (event.key === 'Escape' && !document.querySelector('[role=dialog], [data-testid=stPopoverBody]')) {
      document.querySelector('.st-key-leave_presenter button')?.click();
      return;
    }
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.shiftKey || typing(event, '[role=slider], [role=combobox]')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.turn(this.chosen + step);
  }

  remove() {
    window.removeEventListener('keydown', this.listen, true);
    this.nav.remove();
  }
}

export const { mount, unmount } = component(Bar);
