// Appends lines, and follows the log through server-sent events.
import { Unreachable, h, hideProblem, number, send, showProblem } from './dom.js';
import { showCost, showHint } from './costs.js';

const KEPT = 300;
const PATIENCE = [0, 500, 1000, 2000];
const ROBOT = ['GET /orders/%d 200', 'cache miss key=%d', 'payment %d accepted', 'user %d signed in'];

export function startLog() {
  const form = document.getElementById('write');
  const line = document.getElementById('line');
  const robot = document.getElementById('robot');
  const problem = document.getElementById('write-problem');
  const panel = document.getElementById('log-cost');
  showHint(panel, 'Append a line to see what it costs at the end of a log of some megabytes.');

  const write = writer();
  const append = async text => {
    try {
      showCost(panel, await write(text));
      hideProblem(problem);
      return true;
    } catch (e) {
      showProblem(problem, e);
      return false;
    }
  };
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const text = line.value.trim();
    line.value = '';
    if (text && !await append(text) && line.value === '') line.value = text;
    line.focus();
  });

  let timer = 0;
  robot.addEventListener('change', () => {
    clearTimeout(timer);
    const next = async () => {
      const event = ROBOT[Math.floor(Math.random() * ROBOT.length)];
      const done = await append(event.replace('%d', Math.floor(Math.random() * 1e6)));
      if (!done) robot.checked = false;
      if (robot.checked) timer = setTimeout(next, 2000);
    };
    if (robot.checked) next();
  });

  const followers = document.getElementById('followers');
  followers.append(follower('First follower', true), follower('Second follower', false));
}

/**
 * Sends lines, one after the other. If the answer to a line is lost, it sends the line again with the
 * same number, so that the line is stored exactly once.
 */
function writer() {
  let id = null;
  let number = 0;
  let unanswered = null;
  let last = Promise.resolve();
  const post = async text => {
    id ??= (await send('POST', 'api/log/writers', {})).id;
    if (unanswered !== text) number++;
    unanswered = text;
    for (const pause of PATIENCE) {
      try {
        const comparison = await send('POST', 'api/log', { text, writer: id, number });
        unanswered = null;
        return comparison;
      } catch (e) {
        if (!(e instanceof Unreachable)) throw e;
        await new Promise(resolve => setTimeout(resolve, pause));
      }
    }
    throw new Unreachable();
  };
  return text => {
    last = last.catch(() => {}).then(() => post(text));
    return last;
  };
}

function follower(name, connected) {
  const list = h('ol', { className: 'lines', role: 'log', 'aria-label': name, 'aria-live': 'off', tabIndex: 0 });
  const state = h('span', { className: 'state' });
  const button = h('button', { type: 'button' });
  const pane = h('section', { className: 'follower' },
    h('header', {}, h('h3', {}, name), button), state, list);
  let source = null;
  let offset = null;
  let resumed = false;
  let retry = 0;

  const show = (kind, text) => {
    pane.dataset.state = kind;
    state.textContent = text;
    button.textContent = source ? 'Disconnect' : offset === null ? 'Connect' : 'Reconnect';
  };
  let atEnd = true;
  list.addEventListener('scroll', () => {
    atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  });
  const stayAtEnd = () => {
    if (atEnd) list.scrollTop = list.scrollHeight;
  };
  new ResizeObserver(stayAtEnd).observe(list);
  const add = (text, className) => {
    list.append(h('li', { className }, text));
    while (list.children.length > KEPT) list.firstElementChild.remove();
    stayAtEnd();
  };
  const disconnect = () => {
    clearTimeout(retry);
    source.close();
    source = null;
    show('off', offset === null ? 'Not connected' : `Left at byte ${number(offset)}`);
  };
  const connect = () => {
    // When the connection is lost, the browser reconnects and sends the last id.
    source = new EventSource(offset === null ? 'api/log/stream' : `api/log/stream?from=${offset}`);
    resumed = offset !== null;
    show('opening', 'Connecting…');
    source.onopen = () => {
      if (resumed && offset !== null) add(`resumed at byte ${number(offset)}`, 'mark');
      resumed = true;
      show('on', offset === null ? 'Following' : `Following at byte ${number(offset)}`);
    };
    source.onmessage = event => {
      offset = Number(event.lastEventId);
      add(event.data, '');
      show('on', `Following at byte ${number(offset)}`);
    };
    source.onerror = () => {
      show('waiting', 'The connection is lost; trying again');
      // A browser does not reconnect if the server responds with an error.
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, 3000);
    };
  };
  button.addEventListener('click', () => source ? disconnect() : connect());
  show('off', 'Not connected');
  if (connected) connect();
  return pane;
}
