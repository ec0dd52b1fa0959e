// Plotly.react on a node that is never remounted: zoom, hover and scroll survive every update.
const load = () => window.__boltPlotly ??= new Promise((ok, no) => {
  if (window.Plotly) return ok(window.Plotly);
  const script = document.createElement('script');
  script.src = new URL('bolt-assets/plotly.min.js', document.baseURI).href;
  script.onload = () => ok(window.Plotly);
  script.onerror = no;
  document.head.appendChild(script);
});
const watching = new WeakMap();

function isDark(el, colour) {
  const probe = document.createElement('span');
  probe.style.color = colour;
  el.appendChild(probe);
  const [r, g, b] = getComputedStyle(probe).color.match(/[0-9.]+/g).map(Number);
  probe.remove();
  return .2126 * r + .7152 * g + .0722 * b < 128;
}
const faded = (hex, alpha) => hex + Math.round(255 * alpha).toString(16).padStart(2, '0');

export default function ({ data, parentElement }) {
  const el = parentElement.querySelector('.bolt-plot');
  if (!data.figure) { load(); return; }
  const style = getComputedStyle(el), css = name => style.getPropertyValue(name).trim();
  const ink = css('--st-text-color'), line = css('--st-border-color');
  const palette = isDark(el, css('--st-background-color')) ? data.colours.dark : data.colours.light;
  const figure = JSON.parse(data.figure), given = figure.layout;
  const axes = Object.keys(given).filter(name => /^[xy]axis\d*$/.test(name));
  const narrow = 130 * axes.length;  // 260 px a chart, 390 for two panels
  el.style.height = (window.innerWidth <= 640 ? Math.min(data.height, narrow) : data.height) + 'px';
  el.setAttribute('role', 'figure');
  el.setAttribute('aria-label', given.meta.alt);
  const traces = figure.data.map(t => {
    const colour = palette[t.meta] ?? ink;
    const own = t.marker?.color;  // numbers from 0 to 1: pale to full
    const marker = own ? { colorscale: [[0, faded(colour, .2)], [1, colour]], cmin: 0, cmax: 1 } : { color: colour };
    return { ...t, line: { ...t.line, color: colour }, marker: { ...t.marker, ...marker },
             ...(t.fill ? { fillcolor: faded(colour, .16) } : {}) };
  });
  const axis = { gridcolor: line, linecolor: line, zeroline: false, automargin: true, nticks: 8,
                 tickfont: { color: ink } };
  const titled = own => ({ ...axis, ...own, title: { standoff: 8, font: { size: 12.5 }, ...own.title } });
  const layout = {
    paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)', autosize: true,
    font: { family: css('--st-font'), color: ink, size: 12.5 }, showlegend: false,
    hovermode: 'x unified', dragmode: 'zoom', uirevision: data.view,
    hoverlabel: { bgcolor: css('--st-secondary-background-color'), bordercolor: line,
                  font: { color: ink } },
    modebar: { bgcolor: 'rgba(0,0,0,0)', color: line, activecolor: ink, orientation: 'v' },
    ...given, ...Object.fromEntries(axes.map(name => [name, titled(given[name])])),
    shapes: given.shapes.map(s => s.type === 'line'
      ? { ...s, line: { ...s.line, color: palette[s.name] ?? ink } }
      : { ...s, fillcolor: css('--st-secondary-background-color') }),
    annotations: given.annotations.map(a => ({ ...a, font: { color: palette[a.name] ?? ink },
      ...(a.bgcolor ? { bgcolor: css('--st-background-color') } : {}) })),
  };
  const config = {
    responsive: true, displaylogo: false, displayModeBar: 'hover', showTips: false,
    showSendToCloud: false, plotlyServerURL: '',
    modeBarButtonsToRemove: ['lasso2d', 'select2d', 'autoScale2d', 'zoomIn2d', 'zoomOut2d'],
    toImageButtonOptions: { format: 'svg', filename: data.name },
  };
  load().then(Plotly => {
    if (!el.isConnected) return;
    Plotly.react(el, traces, layout, config);
    el.dataset.version = data.version;
    if (watching.has(el)) return;
    const resized = () => { if (el.isConnected && el.offsetWidth) Plotly.Plots.resize(el); };
    const observer = new ResizeObserver(resized);
    observer.observe(el);
    watching.set(el, observer);
  });
  return () => { watching.get(el)?.disconnect(); load().then(Plotly => Plotly.purge(el)); };
}
