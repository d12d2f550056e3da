// The search of the documentation. The index is loaded when the field is first used.
const form = document.querySelector('#search');
const found = document.querySelector('#found');
const MOST = 8;
let index;

async function loadIndex() {
  const [{ default: MiniSearch }, sections] = await Promise.all([
    import('/docs/assets/minisearch.js'),
    fetch('/docs/search.json').then((response) => response.json()),
  ]);
  const search = new MiniSearch({
    fields: ['title', 'text'],
    storeFields: ['title', 'page'],
    idField: 'href',
  });
  search.addAll(sections);
  return search;
}

async function show() {
  const query = form.q.value.trim();
  index ??= loadIndex();
  const options = { prefix: true, fuzzy: 0.2, combineWith: 'AND', boost: { title: 3 } };
  const results = query === '' ? [] : (await index).search(query, options).slice(0, MOST);
  // A slower search must not replace the results of a later one.
  if (form.q.value.trim() !== query) return;
  found.replaceChildren(...results.map(({ id, title, page }) => entry(id, title, page)));
  if (query !== '' && results.length === 0) {
    found.append(Object.assign(document.createElement('li'), { textContent: `Nothing matches “${query}”.` }));
  }
  found.hidden = query === '';
}

function entry(href, title, page) {
  const link = Object.assign(document.createElement('a'), { href, textContent: title });
  const where = Object.assign(document.createElement('span'), { textContent: page });
  const item = document.createElement('li');
  item.append(link, ' ', where);
  return item;
}

form.q.addEventListener('input', show);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') found.hidden = true;
  if (event.key === '/' && !/^(input|textarea|select)$/i.test(event.target.tagName)) {
    event.preventDefault();
    form.q.focus();
  }
});
document.addEventListener('click', (event) => {
  if (!form.contains(event.target) || event.target.matches('#found a')) found.hidden = true;
});
