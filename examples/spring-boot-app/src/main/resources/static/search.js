// Searches the library for words.
import { busy, h, json } from './dom.js';
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
      problem.hidden = true;
      try {
        const query = new URLSearchParams({ words: document.getElementById('words').value });
        const { titles, cost } = await json(`api/film/search?${query}`);
        list.replaceChildren(...titles.map(title => h('li', {}, title)));
        count.textContent = summary(titles.length);
        showCost(panel, cost);
      } catch (e) {
        list.replaceChildren();
        count.textContent = '';
        problem.textContent = e.message;
        problem.hidden = false;
      }
    });
  });
}

function summary(found) {
  if (found === 0) return 'No film contains these words.';
  if (found === LIMIT) return `The first ${LIMIT} films:`;
  return found === 1 ? 'One film:' : `${found} films:`;
}
