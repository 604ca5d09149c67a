// Uploads in progress, and the stored files.
import { busy, bytes, h, hideProblem, json, send, showProblem, whenBack } from './dom.js';
import { showCost, showHint } from './costs.js';
import { Upload, remove } from './tus.js';

const ENDPOINT = 'tus';
const LIMIT = 2 * 2 ** 30;
const COMPARED = 32_000_000;
const panel = document.getElementById('upload-cost');
const transfers = document.getElementById('transfers');
const running = new Map();
const items = new Map();

// An upload is recognised by its file's name, size and time, even after a reload.
const memory = {
  name: file => `pgtoaster:${file.name}:${file.size}:${file.lastModified}`,
  get: file => localStorage.getItem(memory.name(file)),
  set: (file, url) => localStorage.setItem(memory.name(file), url),
  remove: file => localStorage.removeItem(memory.name(file)),
};

export function startUploads() {
  const input = document.getElementById('file');
  const drop = document.getElementById('drop');
  showHint(panel, 'Upload a file, then compare what it costs to append to it.');
  input.addEventListener('change', () => {
    [...input.files].forEach(transfer);
    input.value = '';
  });
  for (const name of ['dragenter', 'dragover']) {
    drop.addEventListener(name, event => {
      event.preventDefault();
      drop.classList.add('over');
    });
  }
  for (const name of ['dragleave', 'drop']) drop.addEventListener(name, () => drop.classList.remove('over'));
  drop.addEventListener('drop', event => {
    event.preventDefault();
    [...event.dataTransfer.files].forEach(transfer);
  });
  showFiles();
}

function transfer(file) {
  if ([...running.keys()].some(other => memory.name(other) === memory.name(file))) return;
  const bar = h('progress', { max: Math.max(1, file.size), value: 0, 'aria-label': `Upload of ${file.name}` });
  const state = h('p', { className: 'state', role: 'status' });
  const far = h('span', { className: 'far' });
  const pause = h('button', { type: 'button' }, 'Pause');
  const cut = h('button', { type: 'button' }, 'Cut the connection');
  const end = h('button', { type: 'button' }, 'Discard');
  const place = h('li', { className: 'transfer' },
    h('div', { className: 'line' }, h('strong', { className: 'name' }, file.name), far),
    bar, state, h('div', { className: 'buttons' }, pause, cut, end));
  transfers.append(place);
  const leave = () => {
    memory.remove(file);
    running.delete(file);
    if (place.contains(document.activeElement)) document.getElementById('file').focus({ preventScroll: true });
    place.remove();
  };
  if (file.size > LIMIT) {
    state.textContent = 'Files may have up to 2 GB.';
    place.dataset.state = 'failed';
    bar.remove();
    pause.remove();
    cut.remove();
    end.textContent = 'Dismiss';
    end.addEventListener('click', leave);
    return;
  }

  let lost = memory.get(file) !== null;
  const upload = new Upload(ENDPOINT, file, event => {
    if (!running.has(file)) return;
    if (upload.url !== null) memory.set(file, upload.url);
    // Show less progress only after the server has reported its offset: bytes that were sent may not be stored.
    if (event.state !== 'waiting') {
      bar.value = event.offset;
      far.textContent = `${percent(event.offset, file.size)} · ${bytes(event.offset)} of ${bytes(file.size)}`;
    }
    place.dataset.state = event.state;
    if (event.state === 'sending' && lost) {
      state.textContent = `Reconnected: continues from ${bytes(event.offset)}.`;
      lost = false;
    } else if (event.state !== 'sending') {
      state.textContent = words(event);
      lost = true;
    }
    pause.textContent = isStopped() ? 'Resume' : 'Pause';
    cut.disabled = event.state !== 'sending';
    if (event.state === 'done') {
      leave();
      showFiles();
    }
  }, memory.get(file));
  const isStopped = () => upload.state === 'paused' || upload.state === 'failed';
  pause.addEventListener('click', () => isStopped() ? upload.run() : upload.pause());
  cut.addEventListener('click', () => upload.cut());
  end.addEventListener('click', async () => {
    leave();
    await upload.end().catch(() => {});
    showFiles();
  });
  running.set(file, upload);
  upload.run();
}

const percent = (part, whole) => `${whole === 0 ? 100 : Math.floor(100 * part / whole)} %`;

function words(event) {
  switch (event.state) {
    case 'waiting': return 'The connection is lost; trying again…';
    case 'paused': return 'Paused. Resume whenever you like, also after a reload.';
    case 'failed': return event.text;
    default: return '';
  }
}

async function showFiles() {
  const list = document.getElementById('files');
  const none = document.getElementById('no-files');
  const problem = document.getElementById('files-problem');
  try {
    const files = await json('api/files');
    const own = new Set([...running.values()].map(upload => upload.url));
    const shown = files.filter(file => !own.has(file.upload));
    for (const id of [...items.keys()]) {
      if (!shown.some(file => keyOf(file) === id)) {
        items.get(id).remove();
        items.delete(id);
      }
    }
    // Keep the existing element: it may be playing.
    shown.forEach((file, place) => {
      if (!items.has(keyOf(file))) items.set(keyOf(file), fileItem(file));
      const item = items.get(keyOf(file));
      if (list.children[place] !== item) list.insertBefore(item, list.children[place] ?? null);
    });
    hideProblem(problem);
    none.hidden = shown.length > 0;
  } catch (e) {
    showProblem(problem, e, h('button', { type: 'button', onclick: showFiles }, 'Try again'));
    whenBack(e, showFiles);
    none.hidden = true;
  } finally {
    document.getElementById('files-loading').hidden = true;
  }
}

const keyOf = file => `${file.id}:${file.stored}`;

function fileItem(file) {
  const url = `api/files/${file.id}/content`;
  const complete = file.stored === file.size;
  const problem = h('p', { className: 'problem', role: 'alert', hidden: true });
  const attempt = (meanwhile, work) => async event => {
    const button = event.currentTarget;
    hideProblem(problem);
    try {
      await busy(button, meanwhile, work);
    } catch (e) {
      showProblem(problem, e);
    }
  };
  const compare = h('button', {
    type: 'button',
    onclick: attempt('Comparing…', async () => showCost(panel, await send('POST', `api/files/${file.id}/cost`, {}))),
  }, 'Compare costs');
  const discard = h('button', {
    type: 'button',
    'aria-label': `Delete ${file.name}`,
    onclick: attempt('Deleting…', async () => {
      await remove(file.upload);
      await showFiles();
      document.querySelector('#files button, #file').focus({ preventScroll: true });
    }),
  }, 'Delete');
  const far = complete ? bytes(file.size)
    : `${bytes(file.stored)} of ${bytes(file.size)}: choose the same file again to go on`;
  return h('li', { className: 'file' },
    h('div', { className: 'line' },
      complete ? h('a', { className: 'name', href: url, download: file.name }, file.name)
        : h('span', { className: 'name' }, file.name),
      h('span', { className: 'far' }, far)),
    complete && file.size > 0 ? preview(file, url) : null,
    h('div', { className: 'buttons' },
      complete && file.size <= COMPARED ? compare : null, discard,
      complete && file.size > COMPARED ? h('span', { className: 'state' }, 'too large to be copied for a comparison') : null), problem);
}

/** Removes a preview that the browser cannot show, whatever the file's name says. */
function preview(file, url) {
  const onerror = event => event.currentTarget.remove();
  const media = { src: url, controls: true, preload: 'metadata', 'aria-label': file.name, onerror };
  switch (file.media) {
    case 'image': return h('img', { src: url, alt: `Picture ${file.name}`, loading: 'lazy', onerror });
    case 'audio': return h('audio', media);
    case 'video': return h('video', media);
    default: return null;
  }
}
