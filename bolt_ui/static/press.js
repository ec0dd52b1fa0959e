// A press is seen at once: the button of a race looks taken until the server has answered.
const BUTTONS = ['run', 'stop', 'pause', 'resume', 'step', 'go_on', 'copy', 'again'];
const SELECTOR = BUTTONS.map(name => `.st-key-${name} button`).join(', ');
const LONGEST = 10_000;  // ms: a server that is away is told of elsewhere

function take(button) {
  if (!button || button.disabled || button.dataset.pressed) return;
  button.dataset.pressed = 'true';
  button.setAttribute('aria-busy', 'true');
  const app = document.querySelector('[data-testid=stApp]');
  let heard = false;
  const release = () => {
    eyes.disconnect();
    clearTimeout(late);
    delete button.dataset.pressed;
    button.removeAttribute('aria-busy');
  };
  const eyes = new MutationObserver(() => {
    const running = app.dataset.testScriptState !== 'notRunning';
    if (heard && !running) release();
    heard ||= running;
  });
  eyes.observe(app, { attributeFilter: ['data-test-script-state'] });
  const late = setTimeout(release, LONGEST);
}

export function acknowledge() {
  document.addEventListener('click', event => take(event.target.closest?.(SELECTOR)), true);
  document.addEventListener('keydown', event => {
    const typing = event.target.closest?.('input, textarea, select, [contenteditable]');
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const names = { s: '.st-key-run button, .st-key-stop button', arrowright: '.st-key-step button' };
    const pressed = names[event.key.toLowerCase()];
    if (pressed) take(document.querySelector(pressed));
  }, true);
}
