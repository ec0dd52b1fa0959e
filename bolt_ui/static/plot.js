// A plot: Plotly.react on a node that is never replaced, so that zoom, hover and scroll are kept.
import { clippable, cut, cuttable, loosened, nudge, wrapped } from './cut.js';
import { add } from './dom.js';
import { faded, narrow, theme } from './theme.js';

const STAGE = 'max(300px, min(56.25vw, 100vh - 25rem))';  // 16:9, with the bars above and below visible
const AWAY = .25;  // opacity of the other algorithms while one is highlighted
const X_AXIS_HEIGHT = 45;  // pixels: its ticks and its title
const RANGE = /^([xy]axis\d*)\.range(?:\[([01])\])?$/;
const zooms = new Map();  // by chart of a race: the ranges of its zoomed axes. A chart that is mounted again keeps them

export const load = () => window.__boltPlotly ??= new Promise((ok, no) => {
  if (window.Plotly) return ok(window.Plotly);
  const src = new URL('bolt-assets/plotly.min.js', document.baseURI).href;
  add(document.head, 'script', { onload: () => ok(window.Plotly), onerror: no, src });
});

// A page may mount this script alone, to load plotly.js before it has a chart.
export { load as mount };
export function unmount() {}

export function create(body) {
  const el = add(body, 'div', { className: 'bolt-plot' }), ends = add(body, 'div', { className: 'bolt-ends', 'aria-hidden': true });
  let gone = false, config = null, whole = null, clip = null, drawing = null, zoom = {}, redraw = null;
  const unzoom = () => {
    for (const name of Object.keys(zoom)) delete zoom[name];
    whole = null;
    redraw?.();
  };
  const resized = () => { if (!gone && el.isConnected && el.offsetWidth && el._fullLayout) window.Plotly.Plots.resize(el); };
  const observer = new ResizeObserver(resized);
  return {
    caption: chart => chart.layout.meta,
    async draw(chart, view) {
      el.style.height = view.stage ? STAGE : height(chart, view) + 'px';
      const Plotly = await load();
      if (gone || !el.isConnected) return false;
      const replayed = view.cursor !== null && cuttable(chart), look = theme(el);
      config ??= configure(Plotly, el, view.file, unzoom);
      zoom = zoomOf(view, zoom);
      redraw = view.redraw;
      const now = replayed ? cut(chart, view.cursor) : chart;
      const plan = layout(now, view, look, el, zoom);
      const names = replayed ? lighten(plan, el) : [];
      const shade = replayed && clippable(chart);
      const state = [chart, view.spotlight, view.height, look.ink, shade && el._fullLayout];
      if (!shade || !whole?.every((value, i) => value === state[i])) {
        await (drawing = Plotly.react(el, traces(shade ? chart : now, view, look), plan, config));
        state[4] = el._fullLayout;
        whole = shade ? state : null;
      }
      if (!clip) {
        el.on('plotly_afterplot', () => clip());
        el.on('plotly_relayout', change => keepZoom(zoom, change, el));
        el.on('plotly_doubleclick', unzoom);
      }
      clip = () => show(el, shade ? view.cursor : null);
      clip();
      label(ends, names, el);
      observer.observe(el);
      return true;
    },
    destroy() {
      gone = true;
      observer.disconnect();
      const clear = () => { if (el._fullLayout) window.Plotly.purge(el); };
      if (drawing) drawing.then(clear, clear); else clear();  // never during a drawing
    },
  };
}

const axesOf = chart => Object.keys(chart.layout).filter(name => /^[xy]axis\d*$/.test(name));

// On a phone: 260 pixels per chart, 390 for two panels.
const height = (chart, view) => narrow() ? Math.min(view.height, 130 * axesOf(chart).length) : view.height;

// Whether an annotation is the name at the end of a line.
const isEnd = (chart, note) => chart.data.some(t => t.name === note.text && t.meta === note.name);

const away = (view, key) => view.spotlight && key && key !== view.spotlight;

function traces(chart, view, look) {
  return chart.data.map(t => {
    if (t.type === 'heatmap') return shaded(t, look);
    const colour = look.colour(chart.inks, t.meta) ?? look.ink;
    const own = Array.isArray(t.marker?.color) ? t.marker.color : null;  // from 0 (pale) to 1 (full colour)
    const marker = own ? { colorscale: [[0, faded(colour, .2)], [1, colour]], cmin: 0, cmax: 1 } : { color: colour };
    const made = { ...t, line: wider(t.line, look.scale, colour), marker: { ...t.marker, ...marker, ...larger(t.marker, look.scale) } };
    if (t.marker?.line?.color === 'white') made.marker.line = { ...t.marker.line, color: look.ground };
    if (t.type === 'bar' && t.error_y) made.error_y = { ...t.error_y, color: look.ink };
    if (t.fill) made.fillcolor = faded(colour, away(view, t.meta) ? .04 : .16);
    if (away(view, t.meta)) made.opacity = AWAY * (t.opacity ?? 1);
    return made;
  });
}

const wider = (line, by, color) => ({ ...line, color, ...(by === 1 ? {} : { width: by * (line?.width ?? 2) }) });

const larger = (marker, by) => by === 1 || Array.isArray(marker?.size) ? {} : { size: by * (marker?.size ?? 6) };

// A heat map suits both themes, because its shades are transparent; its colour bar has the colour of text.
function shaded(t, { ink, scale }) {
  const { title, ...bar } = t.colorbar ?? {};
  return { ...t, colorbar: { ...bar, tickfont: { color: ink }, title: { ...title, font: { color: ink, size: 12.5 * scale } } } };
}

// A chart that was sent with its page has no race: its zoom lasts as long as its node.
function zoomOf(view, own) {
  if (!view.race) return own;
  if (!zooms.has(view.id)) zooms.set(view.id, {});
  return zooms.get(view.id);
}

// Keep the ranges that the viewer chose. Plotly keeps them only while the ranges of the data stay
// as they were, so they are part of every layout until a double click.
function keepZoom(zoom, change, el) {
  for (const key of Object.keys(change)) {
    const name = key.match(RANGE)?.[1];
    if (name) zoom[name] = [...el._fullLayout[name].range];
  }
}

function layout(chart, view, look, el, zoom) {
  let given = structuredClone(chart.layout);  // a copy, because plotly writes the zoom into it
  const { ink, line, scale } = look, size = 12.5 * scale;
  if (narrow() && given.annotations) given = wrapped({ ...given, annotations: loosened({ ...chart, layout: given }) });
  const axis = { gridcolor: line, linecolor: line, zeroline: false, automargin: true, nticks: 8, tickfont: { color: ink } };
  const titled = own => ({ ...axis, ...own, title: { standoff: 8, font: { size }, ...own.title } });
  const notes = (given.annotations ?? []).map(a => ({
    ...a, font: { color: look.label(chart.inks, a.name) ?? ink }, ...(view.stage && isEnd(chart, a) ? { moves: true } : {}),
    ...(a.bgcolor ? { bgcolor: look.ground } : {}), ...(away(view, a.name) && chart.inks[a.name] ? { opacity: AWAY } : {}),
  }));
  return {
    paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)', autosize: true,
    font: { family: look.font, color: ink, size }, showlegend: false,
    hovermode: 'x unified', dragmode: narrow() ? false : 'zoom', uirevision: view.id,
    hoverlabel: { bgcolor: look.pale, bordercolor: line, font: { color: ink } },
    modebar: { bgcolor: 'rgba(0,0,0,0)', color: line, activecolor: ink, orientation: 'v' },
    ...given, ...Object.fromEntries(axesOf(chart).map(name => [name, { ...titled(given[name]), ...zoomed(zoom[name]) }])),
    ...(given.margin && scale !== 1 ? { margin: { ...given.margin, r: scale * given.margin.r } } : {}),
    shapes: (given.shapes ?? []).map(s => s.type === 'line'
      ? { ...s, line: wider(s.line, scale, look.colour(chart.inks, s.name) ?? ink) }
      : { ...s, fillcolor: look.pale }),
    annotations: nudge(notes, { ...given.yaxis, ...zoomed(zoom.yaxis), _length: el._fullLayout?.yaxis?._length ?? expectedHeight(el, given.margin) }, scale),
  };
}

// The length of the y axis before the first drawing: plotly adds the title and the ticks of the x axis below it.
const expectedHeight = (el, margin) => Math.max(el.clientHeight - (margin?.t ?? 0) - Math.max(margin?.b ?? 0, X_AXIS_HEIGHT), 50);

// `uirevision: false`: the range of an axis is the given one, never one that plotly remembers.
const zoomed = range => range ? { range: [...range], autorange: false, uirevision: false } : { uirevision: false };

// For twenty frames per second: plotly measures every name and every margin again, which takes five
// times as long as the curves. So the margins are fixed, and the names are drawn here.
function lighten(plan, el) {
  const names = plan.annotations;
  plan.annotations = [];
  if (!el._fullLayout) return names.filter(note => note.moves);  // the first drawing is in the middle of a replay
  const { l, r, t, b } = el._fullLayout._size;
  plan.margin = { l, r, t, b };
  for (const name of axesOf({ layout: plan })) plan[name].automargin = false;
  return names.filter(note => note.moves);
}

// Show the curves up to the cursor by changing one attribute; a full drawing takes a twentieth of a second.
function show(el, cursor) {
  const { xaxis } = el._fullLayout;
  if (cursor === null && !el.dataset.clipped) return;  // it was never clipped
  el.dataset.clipped = cursor === null ? '' : 'yes';
  const width = cursor === null ? xaxis._length : Math.min(Math.max(xaxis.l2p(cursor), 0), xaxis._length);
  el.querySelectorAll('clipPath.plotclip rect').forEach(rect => rect.setAttribute('width', width));
}

function label(ends, names, el) {
  while (ends.children.length > names.length) ends.lastChild.remove();
  while (ends.children.length < names.length) ends.appendChild(document.createElement('span'));
  const { _size: size, xaxis, yaxis } = el._fullLayout;
  names.forEach((note, i) => {
    const left = size.l + xaxis.l2p(note.x) + 5, top = size.t + yaxis.l2p(note.y) - (note.yshift ?? 0);
    const style = `transform:translate(${left}px,calc(${top}px - 50%));color:${note.font.color};opacity:${note.opacity ?? 1}`;
    Object.assign(ends.children[i], { textContent: note.text.replaceAll('<br>', '\n'), style });
  });
}

// Made once per node: plotly resets the plot and its zoom when a button gets another function.
function configure(Plotly, el, file, unzoom) {
  const save = format => () => {
    const { ground } = theme(el), size = { width: el.offsetWidth, height: el.offsetHeight };
    const layout = { ...el.layout, paper_bgcolor: ground, plot_bgcolor: ground };
    Plotly.downloadImage({ data: el.data, layout }, { format, filename: file, ...size, scale: format === 'png' ? 2 : 1 });
  };
  return {
    responsive: true, displaylogo: false, displayModeBar: narrow() ? false : 'hover', showTips: false,
    showSendToCloud: false, plotlyServerURL: '', scrollZoom: false, doubleClick: false,
    modeBarButtonsToRemove: ['toImage', 'resetScale2d', 'lasso2d', 'select2d', 'autoScale2d', 'zoomIn2d', 'zoomOut2d'],
    modeBarButtonsToAdd: [
      { name: 'unzoom', title: 'Reset axes', icon: Plotly.Icons.home, click: unzoom },
      { name: 'png', title: 'Save as PNG', icon: Plotly.Icons.camera, click: save('png') },
      { name: 'svg', title: 'Save as SVG', icon: Plotly.Icons.disk, click: save('svg') },
    ],
  };
}
