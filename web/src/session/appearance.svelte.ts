// Light, dark, or as the system says. Kept in this browser only.
export type Appearance = 'system' | 'light' | 'dark';
const STORED_AS = 'canvass-appearance';
const system = matchMedia('(prefers-color-scheme: dark)');

const stored = localStorage.getItem(STORED_AS);
let chosen = $state<Appearance>(stored === 'light' || stored === 'dark' ? stored : 'system');
let systemIsDark = $state(system.matches);
system.addEventListener('change', () => (systemIsDark = system.matches));

export const appearance = {
  get chosen() {
    return chosen;
  },
  set chosen(next: Appearance) {
    chosen = next;
    localStorage.setItem(STORED_AS, next);
    show();
  },
  /** What is on screen now. */
  get shown(): 'light' | 'dark' {
    return chosen === 'system' ? (systemIsDark ? 'dark' : 'light') : chosen;
  },
};

function show() {
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
show();
