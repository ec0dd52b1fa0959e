// The present theme from Streamlit's CSS variables, and the colours of algorithms in it.
const DASHES = { solid: '', dash: '7 4', dot: '2 3', dashdot: '7 3 2 3', longdash: '11 4', longdashdot: '11 3 2 3' };

export function theme(el) {
  const style = getComputedStyle(el), css = name => style.getPropertyValue(name).trim();
  const ground = css('--st-background-color');
  const dark = isDark(el, ground);
  return {
    dark, ground, ink: css('--st-text-color'), line: css('--st-border-color'),
    pale: css('--st-secondary-background-color'), font: css('--st-font'), accent: css('--st-primary-color'),
    scale: +css('--bolt-scale') || 1,  // of letters and lines: larger for an audience
    colour: (inks, key) => inks?.[key]?.[dark ? 'dark' : 'light'],
  };
}

function isDark(el, colour) {
  const probe = document.createElement('span');
  probe.style.color = colour;
  el.appendChild(probe);
  const [r, g, b] = getComputedStyle(probe).color.match(/[0-9.]+/g).map(Number);
  probe.remove();
  return .2126 * r + .7152 * g + .0722 * b < 128;
}

export const faded = (hex, alpha) => hex + Math.round(255 * alpha).toString(16).padStart(2, '0');

// Plotly's dash names as SVG dash arrays.
export const dashes = dash => DASHES[dash] ?? dash.replaceAll('px', '');

export const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
export const narrow = () => window.innerWidth < 640;
