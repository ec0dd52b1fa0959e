// A short text in place of a chart.
export function create(body) {
  const el = body.appendChild(document.createElement('p'));
  return {
    caption: () => ({}),
    draw(chart) {
      el.className = `bolt-text bolt-${chart.tone ?? 'plain'}`;
      if (el.textContent !== chart.text) el.textContent = chart.text;
      return true;
    },
    destroy() {},
  };
}
