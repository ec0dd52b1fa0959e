// A button of a race looks pressed at once, until the server has answered.
import { typing } from './dom.js';

const BUTTONS = ['run', 'stop', 'pause', 'resume', 'step', 'go_on', 'copy', 'again'];
const SELECTOR = BUTTONS.map(name => `.st-key-${name} button`).join(', ');
const MAX_WAIT = 10_000;  // ms: a lost connection is shown by Streamlit

function markPressed(button) {
  if (!button || button.disabled || button.dataset.pressed) return;
  button.dataset.pressed = 'true';
  button.setAttribute('aria-busy', 'true');
  const app = document.querySelector('[data-testid=stApp]');
  let started = false;
  const release = () => {
    observer.disconnect();
    clearTimeout(late);
    delete button.dataset.pressed;
    button.removeAttribute('aria-busy');
  };
  const observer = new MutationObserver(() => {
    const running = app.dataset.testScriptState !== 'notRunning';
    if (started && !running) release();
    started ||= running;
  });
  observer.observe(app, { attributeFilter: ['data-test-script-state'] });
  const late = setTimeout(release, MAX_WAIT);
}

export function acknowledge() {
  document.addEventListener('click', event => markPressed(event.target.closest?.(SELECTOR)), true);
  document.addEventListener('keydown', event => {
    if (typing(event) || event.repeat) return;
    const names = { s: '.st-key-run button, .st-key-stop button', arrowright: '.st-key-step button' };
    const pressed = names[event.key.toLowerCase()];
    if (pressed) markPressed(document.querySelector(pressed));
  }, true);
}
