// Paths below /app by the History API: one state and one click handler, so that links stay plain links.
const BASE = '/app';
const read = () => location.pathname.slice(BASE.length).replace(/\/+$/, '') || '/';
let path = $state(read());
let query = $state.raw(new URLSearchParams(location.search));

const sync = () => {
  path = read();
  query = new URLSearchParams(location.search);
};
window.addEventListener('popstate', sync);
document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest?.('a[href]') as HTMLAnchorElement | null;
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin || link.hash) return;
  if (link.pathname !== BASE && !link.pathname.startsWith(`${BASE}/`)) return;
  event.preventDefault();
  go(link.pathname.slice(BASE.length) + link.search);
});

/** Opens a page. `replace` keeps the back button pointing at the page before. */
export function go(to: string, replace: 'replace' | 'push' = 'push'): void {
  history[replace === 'replace' ? 'replaceState' : 'pushState'](null, '', BASE + to);
  sync();
}

export const route = {
  get path() {
    return path;
  },
  get query() {
    return query;
  },
};

/** The parts of the path that `pattern` names, such as `/search/:id`; null when it is another page. */
export function match(pattern: string): Record<string, string> | null {
  const names: string[] = [];
  const source = pattern.replace(/:(\w+)/g, (_, name: string) => (names.push(name), '([^/]+)'));
  const found = new RegExp(`^${source}$`).exec(path);
  return found && Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1] ?? '')]));
}
