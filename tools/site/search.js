// The index is a script, because a page that is opened from a file may load nothing else.
const { MiniSearch, SEARCH_INDEX, SEARCH_OPTIONS } = window;
const index = MiniSearch.loadJS(SEARCH_INDEX, SEARCH_OPTIONS);
const field = document.getElementById('search');
const found = document.getElementById('found');
const article = document.querySelector('article');
const root = document.body.dataset.root || '.';
const MOST = 30;

function show() {
  const query = field.value.trim();
  found.hidden = query === '';
  article.hidden = query !== '';
  found.replaceChildren();
  if (query === '') return;
  const hits = index.search(query, { prefix: true, fuzzy: 0.2, boost: { title: 3 }, combineWith: 'AND' }).slice(0, MOST);
  const heading = document.createElement('h1');
  heading.textContent = hits.length === 0 ? `Nothing found for “${query}”` : `Found for “${query}”`;
  const list = document.createElement('ul');
  for (const { page, pageTitle, title, anchor } of hits) {
    const link = document.createElement('a');
    link.href = `${root}/${page}#${anchor}`;
    link.textContent = title;
    const where = document.createElement('small');
    where.textContent = pageTitle;
    const item = document.createElement('li');
    item.append(link, where);
    list.append(item);
  }
  found.append(heading, list);
}

field.addEventListener('input', show);
found.addEventListener('click', (event) => {
  if (event.target.closest('a') === null) return;
  field.value = '';
  show();
});
field.form.addEventListener('submit', (event) => event.preventDefault());
