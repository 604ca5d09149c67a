// A client of the tus protocol 1.0.0 (https://tus.io): creation, HEAD for the offset, PATCH from there.

import { Unreachable } from './dom.js';

const PART = 8 << 20;
const PATIENCE = [0, 500, 1000, 2000, 4000, 8000];
const VERSION = { 'Tus-Resumable': '1.0.0' };

/**
 * Uploads one file. Calls `notify(event)` with {state, offset, text}; state is 'sending', 'waiting',
 * 'paused', 'done' or 'failed'. `url` is the URL of an upload to resume.
 */
export class Upload {
  #endpoint;
  #file;
  #notify;
  #url;
  #offset = 0;
  #state = 'new';
  #attempt = Promise.resolve();
  #stop = new AbortController();
  #connection = new AbortController();

  constructor(endpoint, file, notify, url = null) {
    this.#endpoint = endpoint;
    this.#file = file;
    this.#notify = notify;
    this.#url = url;
  }

  get url() {
    return this.#url;
  }

  get state() {
    return this.#state;
  }

  /** Sends until the end or a pause; retries after a lost connection. */
  async run() {
    // The stopped attempt may still be waiting for a response.
    await this.#attempt;
    this.#stop = new AbortController();
    this.#attempt = this.#sendAll(this.#stop.signal);
    return this.#attempt;
  }

  /** Pauses; `run` continues at the offset that the server has. */
  pause() {
    this.#stop.abort();
    this.#tell('paused');
  }

  /** Cuts the connection, as a bad network would. */
  cut() {
    this.#connection.abort();
  }

  /** Stops the upload and deletes it on the server. */
  async end() {
    this.#stop.abort();
    await this.#attempt;
    if (this.#url !== null) await remove(this.#url);
  }

  async #sendAll(stop) {
    let failures = 0;
    while (!stop.aborted) {
      this.#connection = new AbortController();
      const signal = AbortSignal.any([stop, this.#connection.signal]);
      try {
        await (this.#url === null ? this.#create() : this.#ask(signal));
        if (stop.aborted) {
          // Paused before the upload had a URL.
          this.#tell(this.#state);
          return;
        }
        this.#tell('sending');
        while (this.#offset < this.#file.size) {
          await this.#part(signal);
          failures = 0;
        }
        this.#tell('done');
        return;
      } catch (e) {
        if (stop.aborted) return;
        if (e.permanent || !await isReadable(this.#file)) {
          this.#tell('failed', e.permanent ? e.message : 'The file was changed, moved or deleted.');
          return;
        }
        this.#tell('waiting');
        await pause(PATIENCE[Math.min(failures++, PATIENCE.length - 1)], stop);
      }
    }
  }

  #tell(state, text = '') {
    this.#state = state;
    this.#notify({ state, offset: this.#offset, text });
  }

  /** Never aborted: an upload whose URL was not received could not be deleted. */
  async #create() {
    const response = await request('POST', this.#endpoint, {
      'Upload-Length': String(this.#file.size),
      'Upload-Metadata': `filename ${base64(this.#file.name)}`,
    });
    if (response.status !== 201) throw failure(response.status, await words(response, 'The server rejected this file'));
    this.#url = new URL(response.headers.get('Location'), location.href).pathname;
    this.#offset = 0;
  }

  async #ask(signal) {
    const response = await request('HEAD', this.#url, {}, signal);
    if (response.status === 404 || response.status === 410) {
      this.#url = null;
      return this.#create();
    }
    if (!response.ok) throw failure(response.status, 'The upload cannot continue');
    this.#offset = Number(response.headers.get('Upload-Offset'));
  }

  /** Sends one part with XMLHttpRequest, because fetch() does not report progress. */
  #part(signal) {
    const start = this.#offset;
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    signal.addEventListener('abort', abort);
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(failure(0, 'Cut'));
      xhr.open('PATCH', this.#url);
      for (const [name, value] of Object.entries(VERSION)) xhr.setRequestHeader(name, value);
      xhr.setRequestHeader('Upload-Offset', String(start));
      xhr.setRequestHeader('Content-Type', 'application/offset+octet-stream');
      xhr.upload.onprogress = event => {
        this.#offset = start + event.loaded;
        this.#tell('sending');
      };
      xhr.onerror = xhr.onabort = () => reject(failure(0, 'The connection is lost'));
      xhr.onload = () => {
        if (xhr.status !== 204) return reject(failure(xhr.status, 'The server refused a part'));
        this.#offset = Number(xhr.getResponseHeader('Upload-Offset'));
        this.#tell('sending');
        return resolve();
      };
      return xhr.send(this.#file.slice(start, start + PART));
    }).finally(() => signal.removeEventListener('abort', abort));
  }
}

/** Deletes an upload and its bytes. */
export async function remove(url) {
  const response = await request('DELETE', url, {}).catch(() => {
    throw new Unreachable();
  });
  if (!response.ok && response.status !== 404) throw failure(response.status, 'The upload cannot be deleted');
}

const request = (method, url, headers, signal) =>
  fetch(url, { method, headers: { ...VERSION, ...headers }, signal });

/** Returns the server's message for a refusal, if there is one. */
async function words(response, otherwise) {
  return (await response.json().catch(() => null))?.detail || otherwise;
}

/** 409 (another offset), 423 (locked) and server errors are temporary; other refusals are final. */
function failure(status, text) {
  const error = new Error(text.endsWith('.') ? text : `${text} (${status}).`);
  error.permanent = status === 507 || status >= 400 && status < 500 && ![408, 409, 423, 429].includes(status);
  return error;
}

const isReadable = file => file.slice(0, 1).arrayBuffer().then(() => true, () => false);

const pause = (millis, stop) => new Promise(resolve => {
  setTimeout(resolve, millis);
  stop.addEventListener('abort', resolve, { once: true });
});

const base64 = text => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
