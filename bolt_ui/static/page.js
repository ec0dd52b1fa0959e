// The start of an exported HTML file: draw the panels from the charts in the file, without a server.
import { mount } from './panel.js';

const charts = JSON.parse(document.getElementById('charts').textContent);

function draw() {
  for (const [name, { given, height }] of Object.entries(charts)) {
    mount(document.getElementById(name), { given, view: name, height, file: `bolt_${name}` });
  }
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
draw();
