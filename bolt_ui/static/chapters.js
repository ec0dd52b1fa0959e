// The chapters of a presentation, changed by a click or by Left and Right. The keys are handled in
// the capture phase, so that they never step a replay.
const bars = new WeakMap();

class Bar {
  constructor(root) {
    this.nav = root.appendChild(document.createElement('nav'));
    this.nav.className = 'bolt-chapters';
    this.nav.setAttribute('aria-label', 'Chapters');
    this.listen = event => this.key(event);
    window.addEventListener('keydown', this.listen, true);
  }

  set({ titles, chosen, tell }) {
    this.tell = tell;
    if (this.nav.children.length !== titles.length) {
      this.nav.replaceChildren(...titles.map((title, i) => this.button(title, i)));
    }
    this.mark(chosen);
  }

  button(title, i) {
    const el = document.createElement('button');
    Object.assign(el, { type: 'button', textContent: `${i + 1} ${title}`, onclick: () => this.turn(i) });
    return el;
  }

  mark(chosen) {
    this.chosen = chosen;
    [...this.nav.children].forEach((el, i) => {
      if (i === chosen) el.setAttribute('aria-current', 'step'); else el.removeAttribute('aria-current');
    });
  }

  turn(to) {
    if (to === this.chosen || to < 0 || to >= this.nav.children.length) return;
    this.mark(to);  // at once; the page is run again afterwards
    this.tell(to);
  }

  key(event) {
    const typing = event.target.closest?.('input, textarea, select, [contenteditable], [role=slider], [role=combobox]');
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (typing || !step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.turn(this.chosen + step);
  }

  remove() {
    window.removeEventListener('keydown', this.listen, true);
    this.nav.remove();
  }
}

export function mount(root, data) {
  if (!bars.has(root)) bars.set(root, new Bar(root));
  bars.get(root).set(data);
}

export function unmount(root) {
  bars.get(root)?.remove();
  bars.delete(root);
}
