// Shows branches of a document page by page, and changes values.
import { busy, bytes, h, hideProblem, json, number, sendText, showProblem, whenBack } from './dom.js';
import { showCost, showHint } from './costs.js';

const panel = document.getElementById('document-cost');
const escaped = step => step.replaceAll('~', '~0').replaceAll('/', '~1');

export async function startExplorer() {
  const tree = document.getElementById('tree');
  tree.replaceChildren(h('p', { className: 'empty', role: 'status' }, 'Loading the document…'));
  showHint(panel, 'Open a branch, or change a value.');
  try {
    const film = await json('api/film');
    document.getElementById('film-size').textContent = `${bytes(film.bytes)} of`;
    const list = h('ul');
    await fill(list, '', null, false);
    tree.replaceChildren(list);
  } catch (e) {
    const problem = h('p', { className: 'problem', role: 'alert' });
    tree.replaceChildren(problem);
    showProblem(problem, e, h('button', { type: 'button', onclick: startExplorer }, 'Try again'));
    whenBack(e, () => problem.isConnected && startExplorer());
  }
}

/** Adds a page to a list. */
async function fill(list, path, next, array) {
  const query = new URLSearchParams({ path });
  if (next !== null) query.set('next', next);
  const branch = await json(`api/film/branch?${query}`);
  showCost(panel, branch.cost);
  list.append(...branch.entries.map(entry => item(path, entry)));
  if (branch.entries.length === 0 && next === null) list.append(h('li', { className: 'empty' }, 'empty'));
  if (branch.next !== null) list.append(more(list, path, branch.next, array ? branch.size : null));
  return branch.size;
}

function more(list, path, next, size) {
  // An array can be shown from any position.
  const place = h('li', { className: 'more' });
  const problem = h('span', { className: 'problem', role: 'alert', hidden: true });
  const button = h('button', { type: 'button', onclick: () => load(next) }, 'Show 20 more');
  const load = from => busy(button, 'Loading…', async () => {
    hideProblem(problem);
    try {
      await fill(list, path, from, size !== null);
      place.nextElementSibling?.querySelector('button')?.focus();
      place.remove();
    } catch (e) {
      showProblem(problem, e);
    }
  });
  place.append(button);
  if (size !== null) {
    const input = h('input', { type: 'number', min: '0', max: String(size - 1), required: true, inputMode: 'numeric' });
    place.append(h('form', {
      className: 'jump',
      onsubmit: event => {
        event.preventDefault();
        load(input.value);
      },
    }, h('label', {}, h('span', {}, 'or from position '), input), h('button', { type: 'submit' }, 'Go')));
  }
  place.append(problem);
  return place;
}

function item(parent, entry) {
  const path = `${parent}/${escaped(entry.step)}`;
  return entry.type === 'object' || entry.type === 'array' ? branchItem(path, entry) : leafItem(path, entry);
}

function branchItem(path, entry) {
  const list = h('ul', { hidden: true });
  const problem = h('p', { className: 'problem', role: 'alert', hidden: true });
  const size = h('span', { className: 'size' });
  const count = members => {
    const word = entry.type === 'array' ? 'element' : 'member';
    size.textContent = `${number(members)} ${word}${members === 1 ? '' : 's'}`;
  };
  const button = h('button', { type: 'button', className: 'branch', 'aria-expanded': 'false' },
    h('span', { className: 'key' }, entry.step),
    size);
  if (entry.entries === null) size.textContent = entry.type;
  else count(entry.entries.length);
  let loaded = false;
  button.dataset.path = path;
  button.addEventListener('click', async () => {
    const open = button.getAttribute('aria-expanded') === 'false';
    button.setAttribute('aria-expanded', String(open));
    list.hidden = !open;
    if (!open || loaded) return;
    loaded = true;
    if (entry.entries !== null) {
      showHint(panel, `“${entry.step}” is already loaded, so nothing more was read.`);
      list.append(...entry.entries.map(member => item(path, member)));
      if (entry.entries.length === 0) list.append(h('li', { className: 'empty' }, 'empty'));
      return;
    }
    button.setAttribute('aria-busy', 'true');
    const before = size.textContent;
    size.textContent = 'loading…';
    try {
      count(await fill(list, path, null, entry.type === 'array'));
      hideProblem(problem);
    } catch (e) {
      loaded = false;
      size.textContent = before;
      button.setAttribute('aria-expanded', 'false');
      showProblem(problem, e);
    } finally {
      button.removeAttribute('aria-busy');
    }
  });
  return h('li', {}, button, problem, list);
}

function leafItem(path, entry) {
  let { type, text } = entry;
  const shown = h('span');
  const button = h('button', { type: 'button', className: 'leaf' },
    h('span', { className: 'key' }, entry.step), shown, h('span', { className: 'edit', 'aria-hidden': 'true' }, 'edit'));
  button.dataset.path = path;
  const show = () => {
    shown.className = `value ${type}`;
    shown.textContent = toJson(type, text);
    button.setAttribute('aria-label', `Edit ${entry.step}: ${shown.textContent}`);
  };
  const place = h('li', {}, button);
  const close = () => {
    place.replaceChildren(button);
    button.focus();
  };
  button.addEventListener('click', () => {
    place.replaceChildren(editor(entry.step, type, text, close, async (newType, newText) => {
      const value = toJson(newType, newText);
      showCost(panel, await sendText('PUT', 'api/film/value', `{"path":${JSON.stringify(path)},"value":${value}}`));
      type = newType;
      text = newText;
      show();
      close();
      flash(button);
    }));
    place.querySelector('input:not([hidden]), textarea:not([hidden]), select').focus();
  });
  show();
  return place;
}

/** Keeps numbers as text: JavaScript numbers would lose digits. */
const toJson = (type, text) => type === 'string' ? JSON.stringify(text) : text;

function flash(element) {
  element.classList.add('saved');
  setTimeout(() => element.classList.remove('saved'), 1500);
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const KINDS = { string: 'text', number: 'number', true: 'true', false: 'false', null: 'null' };

/** Creates a form for a value; `save` receives the type and the text. */
function editor(step, type, text, close, save) {
  const long = type === 'string' && text.length > 60;
  const input = h(long ? 'textarea' : 'input',
    { value: text, 'aria-label': `Value of ${step}`, maxLength: 20000 });
  if (long) input.rows = 5;
  const kind = h('select', { 'aria-label': `Type of ${step}` },
    ...Object.entries(KINDS).map(([value, name]) => h('option', { value }, name)));
  kind.value = type === 'boolean' ? text : type;
  const problem = h('p', { className: 'problem', role: 'alert', hidden: true });
  const submit = h('button', { type: 'submit', className: 'primary' }, 'Save');
  const form = h('form', { className: 'editor' }, h('span', { className: 'key' }, step), input, kind,
    submit, h('button', { type: 'button', onclick: close }, 'Cancel'), problem);
  const isTyped = () => kind.value === 'string' || kind.value === 'number';
  const adapt = () => {
    input.hidden = !isTyped();
    if (input.hidden) input.value = '';
    if (!long) input.inputMode = kind.value === 'number' ? 'decimal' : 'text';
  };
  kind.addEventListener('change', adapt);
  adapt();
  form.addEventListener('keydown', event => {
    if (event.key === 'Escape') close();
  });
  form.addEventListener('submit', async event => {
    event.preventDefault();
    submit.disabled = true;
    try {
      const value = kind.value === 'number' ? input.value.trim() : isTyped() ? input.value : kind.value;
      if (kind.value === 'number' && !NUMBER.test(value)) throw new Error('Type a number as JSON writes it, such as -12 or 3.5.');
      await save(['true', 'false'].includes(kind.value) ? 'boolean' : kind.value, value);
    } catch (e) {
      showProblem(problem, e);
      submit.disabled = false;
    }
  });
  return form;
}
