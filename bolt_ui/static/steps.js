// Algorithm 1 line by line, with what each line did in the last pass. While a race is stepped, the
// lines are highlighted one after the other, each with the panel that shows its effect.
import { light } from './store.js';
import { reducedMotion } from './theme.js';

const MS_PER_LINE = 700;

export function create(body) {
  const list = body.appendChild(document.createElement('ol'));
  list.className = 'bolt-steps';
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
      list.replaceChildren(...chart.steps.map((step, i) => {
        const item = document.createElement('li');
        item.append(Object.assign(document.createElement('code'), { textContent: step.line }),
          Object.assign(document.createElement('span'), { textContent: step.said }));
        item.onmouseenter = () => lit(chart.steps, i);
        item.onmouseleave = () => lit(chart.steps, -1);
        return item;
      }));
      const encoded = JSON.stringify(chart.steps);
      if (before !== null && encoded !== before && !reducedMotion() && chart.stepping) walk(chart.steps);
      before = encoded;
      return true;
    },
    destroy() { clearTimeout(timer); light(null); },
  };
}
