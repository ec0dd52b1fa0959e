// Elements, keys, times, and one object per mounted component.

// Append an element; what is not a property of it becomes an attribute.
export function add(parent, tag, values = {}) {
  const el = parent.appendChild(document.createElement(tag));
  for (const [name, value] of Object.entries(values)) if (name in el) el[name] = value; else el.setAttribute(name, value);
  return el;
}

// The unit of a race of this length, in seconds and by name; a race is long if it takes hours or days.
const LONG_SECONDS = 5400;
export const unitOf = span => span < LONG_SECONDS ? [1, 's'] : span < 3 * 3600 ? [60, 'min']
  : span < 3 * 86400 ? [3600, 'h'] : [86400, 'days'];

// A moment as minutes and seconds, rounded as in the headline; of a short run, in seconds with digits;
// of a long one, in its unit.
const SHORT_SECONDS = 10;
export const clock = (s, span) => span < SHORT_SECONDS ? `${s.toFixed(span < 1 ? 3 : 2)} s`
  : span >= LONG_SECONDS ? `${(s / unitOf(span)[0]).toFixed(2)} ${unitOf(span)[1]}`
  : `${Math.floor(Math.round(s) / 60)}:${String(Math.round(s) % 60).padStart(2, '0')}`;

// Seconds since 1970 as the local time of day, with the date if it is not today.
export function moment(seconds) {
  const at = new Date(1000 * seconds), today = new Date().toDateString() === at.toDateString();
  const time = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(part => String(part).padStart(2, '0')).join('-');
  return today ? time : `${date} ${time}`;
}

// Whether a key press belongs to the browser or to the field that has the focus.
export const typing = (event, also = '[contenteditable]') => event.ctrlKey || event.metaKey || event.altKey
  || Boolean(event.target.closest?.(`input, textarea, select, [contenteditable], ${also}`));

// `mount` and `unmount` of a class: one object per root, made again when its `static id` changes.
// `set` is called for every rerun of the page.
export function component(Part) {
  const parts = new WeakMap(), ids = new WeakMap();
  const unmount = root => { parts.get(root)?.remove(); parts.delete(root); };
  const mount = (root, data) => {
    const id = Part.id?.(data);
    if (ids.get(root) !== id) unmount(root);
    ids.set(root, id);
    if (!parts.has(root)) parts.set(root, new Part(root, data));
    parts.get(root).set?.(data);
  };
  return { mount, unmount };
}
