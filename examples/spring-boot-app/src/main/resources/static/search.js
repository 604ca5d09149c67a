// Searches the library for words.
import { busy, h, hideProblem, json, showProblem } from './dom.js';
import { showCost, showHint } from './costs.js';

const LIMIT = 20;

export function startSearch() {
  const panel = document.getElementById('search-cost');
  const problem = document.getElementById('find-problem');
  const list = document.getElementById('found');
  const count = document.getElementById('found-count');
  const form = document.getElementById('find');
  showHint(panel, 'Search for a word.');
  form.addEventListener('submit', event => {
    event.preventDefault();
    busy(form.querySelector('button'), 'Searching…', async () => {
      hideProblem(problem);
      try {
        const query = new URLSearchParams({ words: document.getElementById('words').value });
        const { hits, cost } = await json(`api/film/search?${query}`);
        list.replaceChildren(...hits.map(film));
        count.textContent = summary(hits.length);
        showCost(panel, cost);
      } catch (e) {
        list.replaceChildren();
        count.textContent = '';
        showProblem(problem, e);
      }
    });
  });
}

function film({ title, snippet }) {
  return h('li', {}, h('strong', {}, title), h('p', { className: 'snippet' }, ...marked(snippet)));
}

/** The words that were found are between <b> and </b>. The rest is text, which may contain anything. */
function marked(snippet) {
  return snippet.split(/<b>(.*?)<\/b>/s).map((text, i) => i % 2 ? h('mark', {}, text) : text);
}

function summary(found) {
  if (found === 0) return 'No film contains these words.';
  if (found === LIMIT) return `The best ${LIMIT} films:`;
  return found === 1 ? 'One film:' : `${found} films:`;
}
