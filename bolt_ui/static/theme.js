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
    label(inks, key) {  // the colour for text: closer to the text colour where the line's is too pale
      const own = this.colour(inks, key);
      return own && legible(own, ground, this.ink);
    },
  };
}

const MIN_CONTRAST = 4.5;  // of text, WCAG 1.4.3
const channels = hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));
const luminance = rgb => rgb.map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
  .reduce((sum, v, k) => sum + v * [.2126, .7152, .0722][k], 0);

export function contrast(one, other) {
  const [low, high] = [one, other].map(hex => luminance(channels(hex))).sort((a, b) => a - b);
  return (high + .05) / (low + .05);
}

export function legible(hex, ground, ink) {
  if (![hex, ground, ink].every(colour => /^#[0-9a-f]{6}$/i.test(colour))) return hex;
  const from = channels(hex), to = channels(ink);
  for (let share = 0; share <= 1; share += .05) {
    const mixed = '#' + from.map((v, k) => Math.round(v + share * (to[k] - v)).toString(16).padStart(2, '0')).join('');
    if (contrast(mixed, ground) >= MIN_CONTRAST) return mixed;
  }
  return ink;
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
