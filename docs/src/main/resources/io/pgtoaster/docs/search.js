// The search box. The text of all pages is loaded when somebody uses the box.
{
  const form = document.getElementById('search');
  const input = form.querySelector('input');
  const found = document.getElementById('found');
  const base = form.dataset.base;
  let index;

  const load = name => new Promise((loaded, failed) => {
    const script = document.createElement('script');
    script.src = base + name;
    script.onload = loaded;
    script.onerror = () => failed(new Error(`Cannot load ${name}`));
    document.head.append(script);
  });

  const build = async () => {
    await Promise.all([load('lunr.min.js'), load('passages.js')]);
    // Names in code are words, too: documents.search(..) has two.
    lunr.tokenizer.separator = /[^\p{L}\p{N}_$]+/u;
    return lunr(function () {
      this.field('name', {boost: 10});
      this.field('title', {boost: 5});
      this.field('text');
      passages.forEach(([, title, name, text], id) => this.add({id, title, name, text}));
    });
  };

  // A passage must contain all words. The last one may be incomplete.
  const search = (index, text) => {
    const words = lunr.tokenizer(text).filter(lunr.stopWordFilter).map(lunr.stemmer).map(String);
    return words.length === 0 ? [] : index.query(query => words.forEach((word, at) => query.term(word, {
      presence: lunr.Query.presence.REQUIRED,
      usePipeline: false,
      wildcard: at === words.length - 1 ? lunr.Query.wildcard.TRAILING : lunr.Query.wildcard.NONE,
    })));
  };

  const item = ({ref}) => {
    const [link, title, name, text] = passages[ref];
    const excerpt = document.createElement('small');
    excerpt.textContent = text.length > 120 ? text.slice(0, text.lastIndexOf(' ', 120)) + ' …' : text;
    const a = document.createElement('a');
    a.href = base + link;
    a.append(name === title ? name : `${title}: ${name}`, excerpt);
    const li = document.createElement('li');
    li.append(a);
    return li;
  };

  const show = async () => {
    let items;
    try {
      index ??= build();
      items = search(await index, input.value).slice(0, 12).map(item);
      if (items.length === 0) items = ['Nothing found'];
    } catch (e) {
      index = undefined;
      items = [e.message];
    }
    found.replaceChildren(...items);
    found.hidden = input.value.trim() === '';
  };

  input.addEventListener('input', show);
  form.addEventListener('submit', event => {
    event.preventDefault();
    found.querySelector('a')?.click();
  });
  form.addEventListener('keydown', event => {
    if (event.key === 'Escape') found.hidden = true;
  });
  found.addEventListener('click', () => found.hidden = true);
  form.hidden = false;
  input.value = new URLSearchParams(location.search).get('search') ?? '';
  if (input.value) show();
}
