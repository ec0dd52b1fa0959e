// Algorithm 1 line by line, with what each line did in the last pass. While a race is stepped, the
// lines are highlighted one after the other, each with the panel that shows its effect.
import { add } from './dom.js';
import { light } from './store.js';
import { reducedMotion } from './theme.js';

const MS_PER_LINE = 700;

export function create(body) {
  const list = add(body, 'ol', { className: 'bolt-steps' });
  let timer = null, before = null;
  const lit = (steps, at) => {
    [...list.children].forEach((item, i) => item.classList.toggle('bolt-lit', i === at));
    light(steps[at]?.panel ?? null);
  };
  const walk = (steps, at = 0) => {
    clearTimeout(timer);
    if (at > steps.length) return;
    lit(steps, at);
    timer = setTimeout(() => walk(steps, at + 1), MS_PER_LINE);
  };
  return {
    caption: () => ({ alt: 'Algorithm 1: what each line did in the last pass', caption: '' }),
    draw(chart) {
      list.replaceChildren();
      chart.steps.forEach((step, i) => {
        const item = add(list, 'li', { onmouseenter: () => lit(chart.steps, i), onmouseleave: () => lit(chart.steps, -1) });
        add(item, 'code', { textContent: step.line });
        add(item, 'span', { textContent: step.said });
      });
      const encoded = JSON.stringify(chart.steps);
      if (before !== null && encoded !== before && !reducedMotion() && chart.stepping) walk(chart.steps);
      before = encoded;
      return true;
    },
    destroy() { clearTimeout(timer); light(null); },
  };
}
