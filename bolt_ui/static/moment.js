// A moment of a replay as an address: ?t=123.4 opens it there. While the replay stands still the
// page's own address follows the cursor; nobody is asked, so nothing runs again.
const QUIET = 300;  // ms of stillness: browsers count how often an address is rewritten
let timer = null;

// The moment that this page's address asks for, in seconds; null if it names none.
export function asked() {
  const told = new URL(location.href).searchParams.get('t');
  const seconds = told === null || !told.trim() ? NaN : Number(told);
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : null;
}

// This page at that moment; null: at its end, which needs no name.
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

// Without https a page has no clipboard of its own: then the old way.
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const box = document.body.appendChild(Object.assign(document.createElement('textarea'), { value: text }));
  box.select();
  document.execCommand('copy');
  box.remove();
}
