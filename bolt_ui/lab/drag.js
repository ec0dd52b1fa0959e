// Ten observations: one that is dragged out of the plot leaves the dataset; dropped into the plot, it
// returns to its own position. Only the rows that are left out are sent to the server.
const NS = 'http://www.w3.org/2000/svg', HEIGHT = 300, TRAY = 52, GAP = 40, TOP = 20;
const states = new WeakMap();  // per node: the newest data, its observer, whether a drag is in progress

const make = (name, attributes, parent, text) => {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  parent.appendChild(node);
  return node;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const el = parentElement.querySelector('.bolt-drag');
  const state = states.get(el) ?? {};
  states.set(el, Object.assign(state, { data, send: out => setTriggerValue('moved', out) }));
  state.fresh = true;
  if (!state.dragging) draw(el, state);
  if (!state.observer) {
    state.observer = new ResizeObserver(() => {
      if (el.isConnected && el.offsetWidth && el.offsetWidth !== state.width && !state.dragging) draw(el, state);
    });
    state.observer.observe(el);
  }
  return () => state.observer.disconnect();
}

function draw(el, state) {
  const { points, sides, texts, frame } = state.data;
  const focused = el.contains(document.activeElement) ? document.activeElement.dataset.i : undefined;
  const width = state.width = el.offsetWidth || 600;
  const bottom = HEIGHT - TRAY - GAP;
  const area = { x: frame.left, y: TOP, w: width - frame.left - frame.right, h: bottom - TOP };
  const atX = x => area.x + x * area.w, atT = t => area.y + (1 - t / frame.now) * area.h;
  el.replaceChildren();
  const svg = make('svg', { height: HEIGHT, role: 'group', 'aria-label':
    'The dataset: ten observations by x and time. Drag one out of the plot, or press Enter on it, to leave it out.' }, el);
  make('rect', { class: 'ground', x: area.x, y: area.y, width: area.w, height: area.h }, svg);
  for (const t of [0, 40, 80, 120]) {
    make('line', { class: 'grid', x1: area.x, x2: area.x + area.w, y1: atT(t), y2: atT(t) }, svg);
    make('text', { x: area.x - 7, y: atT(t) + 4, 'text-anchor': 'end' }, svg, t === frame.now ? 'now' : t);
  }
  for (const x of [0, .2, .4, .6, .8, 1])
    make('text', { x: atX(x), y: bottom + 16, 'text-anchor': 'middle' }, svg, x);
  const name = make('text', { x: 0, y: 0, 'text-anchor': 'middle', transform: `translate(12 ${area.y + area.h / 2}) rotate(-90)` }, svg, 'time of query (s)');
  name.setAttribute('class', 'title');
  const tray = make('rect', { class: 'tray', x: 1, y: HEIGHT - TRAY + 4, width: width - 2, height: TRAY - 8, rx: 8 }, svg);
  const outs = points.filter(p => p.out).length;
  make('text', { class: 'muted', x: width / 2, y: HEIGHT - TRAY / 2 + 4, 'text-anchor': 'middle' }, svg,
    outs ? '' : width < 480 ? 'drag an observation here' : 'drag an observation out of the plot to leave it out');
  const most = Math.max(...points.map(p => p.score), 1e-12);
  let position = 0;  // in the tray
  points.forEach((point, i) => {
    const step = Math.min(44, (width - 16) / 10);
    const home = point.out ? [8 + step * (position++ + .5), HEIGHT - TRAY / 2] : [atX(point.x), atT(point.t)];
    dot(el, state, svg, i, home, point.out ? 11 : 9 + 8 * Math.sqrt(point.score / most), { area, tray });
  });
  if (focused !== undefined) el.querySelector(`[data-i="${focused}"]`)?.focus();
  el.appendChild(bars(sides, texts));
  el.dataset.out = JSON.stringify(points.flatMap((p, i) => p.out ? [i] : []));
  el.dataset.change = sides.change;
  el.dataset.limit = sides.limit;
  el.dataset.fresh = state.fresh;  // whether the numbers belong to the rows that are out now
}

function dot(el, state, svg, i, [x, y], radius, { area, tray }) {
  const point = state.data.points[i], name = `Observation ${i + 1}, x = ${point.x}, made at ${point.t} s`;
  const g = make('g', { class: point.out ? 'dot out' : 'dot', tabindex: 0, role: 'button', 'data-i': i,
    transform: `translate(${x} ${y})`, 'aria-pressed': point.out, 'aria-label': point.out
      ? `${name}: left out. Enter puts it back.` : `${name}: W2 ${point.text}. Enter leaves it out.` }, svg);
  make('circle', { r: 20, fill: 'transparent' }, g);
  make('circle', { class: 'seen', r: radius }, g);
  make('text', { class: 'number', y: 4, 'text-anchor': 'middle' }, g, i + 1);
  if (!point.out) {
    const left = point.x > .85;
    make('text', { class: 'score', x: (left ? -1 : 1) * (radius + 5), y: 4, 'text-anchor': left ? 'end' : 'start' }, g,
      (point.text.startsWith('less') ? '0' : point.text) + (point.least ? ', matters least' : ''));
  }
  const put = out => {
    if (out === point.out) { draw(el, state); return; }
    point.out = out;  // drawn at once; the numbers of the server follow
    state.fresh = false;
    draw(el, state);
    state.send(state.data.points.flatMap((p, j) => p.out ? [j] : []));
  };
  g.onkeydown = e => { if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); put(!point.out); } };
  g.onpointerdown = e => {
    if (e.button) return;
    e.preventDefault();
    svg.appendChild(g);  // above the others; before the capture, which a move in the tree would end
    g.focus({ preventScroll: true });
    g.setPointerCapture(e.pointerId);
    const from = [e.clientX, e.clientY], frame = svg.getBoundingClientRect();
    let far = false, inside = !point.out;
    state.dragging = true;
    g.classList.add('held');
    g.onpointermove = m => {
      const dx = m.clientX - from[0], dy = m.clientY - from[1];
      far ||= Math.hypot(dx, dy) > 4;
      const [px, py] = [m.clientX - frame.left, m.clientY - frame.top];
      inside = px >= area.x && px <= area.x + area.w && py >= area.y && py <= area.y + area.h;
      g.setAttribute('transform', `translate(${x + dx} ${y + dy})`);
      g.classList.toggle('out', !inside);
      tray.classList.toggle('ready', !inside);
    };
    const done = drop => {
      g.onpointermove = g.onpointerup = g.onpointercancel = null;
      state.dragging = false;
      drop ? put(far ? !inside : !point.out) : draw(el, state);
    };
    g.onpointerup = () => done(true);
    g.onpointercancel = () => done(false);
  };
}

function bars(sides, texts) {
  const box = document.createElement('div'), most = Math.max(sides.limit, 1e-12);
  const row = (kind, label, title) => `<div class="side ${kind}"><span title="${title}">${label}</span>
    <span class="bar"><i style="width:${sides.limit ? 100 * Math.min(sides[kind] / most, 1) : 0}%"></i></span><b></b></div>`;
  box.setAttribute('role', 'status');
  box.innerHTML = row('change', 'change: ‖α<sub>D</sub> − α<sub>D′</sub>‖<sub>2</sub>', 'how much the acquisition function changed')
    + row('limit', 'limit: L<sub>T</sub> W<sub>2</sub>', 'how much it may change by the theorem');
  box.querySelector('.change b').textContent = texts.change;
  box.querySelector('.limit b').textContent = '≤ ' + texts.limit;
  return box;
}
