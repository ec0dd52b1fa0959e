// A moment of a replay in the address: ?t=123.4 opens the page there. While the replay is not playing
// the address follows the cursor, without a rerun of the page.
const QUIET = 300;  // ms without a change: browsers limit how often the address may be rewritten
let timer = null;

// The moment in this page's address, in seconds; null if there is none.
export function asked() {
  const parameter = new URL(location.href).searchParams.get('t');
  const seconds = parameter === null || !parameter.trim() ? NaN : Number(parameter);
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : null;
}

// The address of this page at a moment in seconds; null: at its end, without a parameter.
export function address(seconds) {
  const url = new URL(location.href);
  if (seconds === null) url.searchParams.delete('t');
  else url.searchParams.set('t', +seconds.toFixed(3));
  return url.href;
}

export function keep(seconds) {
  clearTimeout(timer);
  timer = setTimeout(() => write(seconds), QUIET);
}

export function forget() {
  clearTimeout(timer);
  write(null);
}

function write(seconds) {
  const url = address(seconds);
  if (url !== location.href) history.replaceState(history.state, '', url);
}

// Without https there is no clipboard API; then the selection is copied.
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const box = document.body.appendChild(Object.assign(document.createElement('textarea'), { value: text }));
  box.select();
  document.execCommand('copy');
  box.remove();
}
