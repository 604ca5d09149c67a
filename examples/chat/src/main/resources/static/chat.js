// The page: conversations, streamed answers, search, costs. Text is inserted as text, never as HTML.
const $ = id => document.getElementById(id);
const number = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const bytes = n => n < 1e3 ? `${n} bytes` : n < 1e6 ? `${short.format(n / 1e3)} kB` : `${short.format(n / 1e6)} MB`;
const millis = micros => `${short.format(micros / 1e3)} ms`;

function h(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

async function send(method, path, body) {
  $('problem').hidden = true;
  const response = await fetch(`api/${path}`, body === undefined ? { method }
    : { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const text = await response.text();
  const value = text && JSON.parse(text);
  if (!response.ok) throw new Error(value.detail || `The server answered ${response.status}.`);
  return value;
}

addEventListener('unhandledrejection', event => {
  $('problem').textContent = event.reason.message;
  $('problem').hidden = false;
});

/** Runs an action of the user. Its button cannot be used meanwhile. */
const action = (button, work) => event => {
  event.preventDefault();
  button.disabled = true;
  return work().finally(() => { button.disabled = false; });
};
const onClick = (id, work) => $(id).addEventListener('click', action($(id), work));
const onSubmit = (id, work) => $(id).addEventListener('submit', action($(id).querySelector('button'), work));
const user = () => encodeURIComponent($('user').value.trim() || 'ada');
const current = () => location.hash.slice(1);
let source = null, first = 0;
const link = (chat, ...more) => {
  const a = h('a', '', h('span', 'title', chat.title || 'New conversation'), ...more);
  a.href = `#${chat.id}`;
  if (chat.id === current()) a.ariaCurrent = 'true';
  return h('li', '', a);
};
const list = async () =>
  $('chats').replaceChildren(...(await send('GET', `users/${user()}/chats`)).map(chat => link(chat)));
const line = ({ type, text }) => h('div', `line ${type.toLowerCase()}`, text);
const toEnd = () => { $('lines').scrollTop = $('lines').scrollHeight; };
function more(page) {
  first = page.first;
  const lines = page.lines.map(line);
  const earlier = h('button', 'plain', 'Earlier messages');
  earlier.addEventListener('click', action(earlier, async () => {
    const { page } = await send('GET', `chats/${current()}?before=${first}`);
    earlier.replaceWith(...more(page));
  }));
  return first > 0 ? [earlier, ...lines] : lines;
}

async function open() {
  source?.close();
  $('lines').replaceChildren();
  $('costs').hidden = true;
  const id = current();
  await list();
  const view = id ? await send('GET', `chats/${id}`) : { page: { first: 0, count: 0, lines: [] } };
  if (id !== current()) return;
  $('count').textContent = `${number.format(view.page.count)} messages`;
  $('lines').replaceChildren(...more(view.page));
  toEnd();
  if (view.answer) follow(view.answer);
  else if (id) showCosts(id);
}

/** Shows an answer while it arrives. When the connection breaks, the browser continues after the last event. */
function follow(answer) {
  const id = current();
  const bubble = line({ type: 'ASSISTANT', text: '' });
  bubble.classList.add('running');
  $('lines').append(bubble);
  source = new EventSource(`api/answers/${answer}`);
  source.onmessage = event => {
    bubble.append(JSON.parse(event.data).text);
    toEnd();
  };
  source.addEventListener('end', event => {
    event.target.close();
    bubble.classList.remove('running');
    showCosts(id);
  });
}

async function showCosts(id) {
  const turn = await send('GET', `chats/${id}/cost`).catch(() => null);
  if (!turn || id !== current()) return;
  const { memory, stock } = turn;
  const bar = (name, cost, className) => {
    const rail = h('progress', className);
    rail.value = cost.walBytes / Math.max(memory.walBytes, stock.walBytes);
    return [h('dt', '', name), h('dd', '', rail, `${bytes(cost.walBytes)} in ${millis(cost.micros)}`)];
  };
  $('count').textContent = `${number.format(turn.messages)} messages`;
  const ratio = stock.walBytes / memory.walBytes;
  $('times').textContent = ratio < 1 ? `${short.format(1 / ratio)}× more` : `${short.format(ratio)}× less`;
  $('bars').replaceChildren(...bar('pgtoaster', memory, 'ours'), ...bar('Spring AI, JDBC', stock, ''));
  $('streamed').textContent = `While the answer was streamed, ${turn.tokens} appends to a blob wrote `
    + `${bytes(turn.answer.walBytes)}, ${millis(turn.answer.micros / turn.tokens)} each.`;
  $('costs').hidden = false;
}
const go = id => { history.pushState(null, '', `#${id}`); return open(); };
const create = async () => go((await send('POST', `users/${user()}/chats`)).id);

onClick('new', create);
onSubmit('ask', async () => {
  const text = $('question').value;
  if (!current()) await create();
  const { id } = await send('POST', `chats/${current()}/turns`, { text });
  $('question').value = '';
  $('lines').append(line({ type: 'USER', text }));
  follow(id);
  await list();
});
onClick('fill', async () => {
  if (!current()) await create();
  await send('POST', `chats/${current()}/filling?messages=10000`);
  await open();
});
onSubmit('find', async () => {
  const hits = await send('GET', `search?words=${encodeURIComponent($('words').value)}`);
  const snippet = text => h('span', 'snippet', ...text.split(/<\/?b>/).map((s, i) => i % 2 ? h('mark', '', s) : s));
  $('hits').replaceChildren(...hits.map(hit => link(hit.chat, h('small', '', hit.chat.owner), snippet(hit.snippet))));
  if (!hits.length) $('hits').append(h('li', 'hint', 'No conversation contains these words.'));
  $('found').hidden = false;
});
onClick('unfind', async () => { $('found').hidden = true; });
onClick('delete', async () => {
  if (!confirm(`Delete all conversations of ${$('user').value}?`)) return;
  await send('DELETE', `users/${user()}`);
  $('found').hidden = true;
  await go('');
});
$('user').value = localStorage.getItem('user') || 'ada';
$('user').addEventListener('change', () => {
  localStorage.setItem('user', $('user').value);
  go('');
});
addEventListener('hashchange', open);
open();
