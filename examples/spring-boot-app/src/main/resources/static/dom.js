// Creates elements and formats numbers. Text is inserted as text, never as HTML.

/** Creates an element, given its properties, listeners (onclick), attributes (with a dash) and children. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role') element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

/** Does work; meanwhile a button shows that and ignores clicks. It is not disabled, so it keeps the focus. */
export async function busy(button, meanwhile, work) {
  if (button.getAttribute('aria-busy') === 'true') return;
  const text = button.textContent;
  button.textContent = meanwhile;
  button.setAttribute('aria-busy', 'true');
  try {
    await work();
  } finally {
    button.textContent = text;
    button.removeAttribute('aria-busy');
  }
}

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

export const number = value => whole.format(value);

export function bytes(value) {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? whole.format(value) : short.format(value)} ${units[unit]}`;
}

export function duration(micros) {
  if (micros < 1000) return `${whole.format(micros)} µs`;
  return micros < 1e6 ? `${short.format(micros / 1000)} ms` : `${short.format(micros / 1e6)} s`;
}

export function times(ratio) {
  return `${ratio < 10 ? short.format(Math.round(ratio * 10) / 10) : whole.format(Math.round(ratio))}×`;
}

export class Unreachable extends Error {
  constructor() {
    super('The server does not respond. Is it running?');
  }
}

/** Fetches JSON; throws an error with the server's message, or Unreachable. */
export async function json(url, options) {
  let response;
  try {
    response = await fetch(url, options);
  } catch {
    throw new Unreachable();
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) throw failure(response.status, body?.detail || `The server answered ${response.status}.`);
  return body;
}

function failure(status, message) {
  const error = new Error(message);
  error.status = status;
  return error;
}

const problems = new WeakMap();

/** Shows an error. When the server or its database is back, an error that said it was gone disappears. */
export function showProblem(place, error, ...controls) {
  problems.set(place, error);
  place.replaceChildren(error.message, ...controls.flatMap(control => [' ', control]));
  place.hidden = false;
  whenBack(error, () => {
    if (problems.get(place) === error) hideProblem(place);
  });
}

export function hideProblem(place) {
  problems.delete(place);
  place.hidden = true;
}

/** Calls an action when the server responds again; does nothing after an error of another kind. */
export function whenBack(error, action) {
  if (error instanceof Unreachable || error.status === 503) back().then(action);
}

let returning = null;

/** Asks until the server and its database respond; all problems share one question. */
function back() {
  returning ??= (async () => {
    do await new Promise(resolve => setTimeout(resolve, 2000));
    while (!await fetch('api/files').then(response => response.ok, () => false));
    returning = null;
  })();
  return returning;
}

export const send = (method, url, value) => sendText(method, url, JSON.stringify(value));

/** Sends a text that is already JSON. */
export const sendText = (method, url, body) =>
  json(url, { method, headers: { 'Content-Type': 'application/json' }, body });
