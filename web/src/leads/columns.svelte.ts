// Columns of the lead table. Which of them are shown is kept in this browser.
export type ColumnKey = 'score' | 'email' | 'phone' | 'signals' | 'owner' | 'rating' | 'website' | 'city' | 'platform' | 'tags';
export interface Column {
  key: ColumnKey;
  name: string;
  width: number;
  sortable?: boolean;
  end?: boolean;
}
export const COLUMNS: Column[] = [
  { key: 'score', name: 'Score', width: 92, sortable: true },
  { key: 'email', name: 'Email', width: 232, sortable: true },
  { key: 'phone', name: 'Phone', width: 128 },
  { key: 'signals', name: 'Signals', width: 152 },
  { key: 'owner', name: 'Owner', width: 150, sortable: true },
  { key: 'rating', name: 'Rating', width: 104, sortable: true, end: true },
  { key: 'website', name: 'Website', width: 190 },
  { key: 'city', name: 'Town', width: 120, sortable: true },
  { key: 'platform', name: 'Platform', width: 110, sortable: true },
  { key: 'tags', name: 'Tags', width: 140 },
];
const DEFAULT: ColumnKey[] = ['score', 'email', 'phone', 'signals', 'owner', 'rating'];
const STORED_AS = 'canvass-columns';

function stored(): Set<ColumnKey> {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? '');
    if (Array.isArray(list)) return known(list);
  } catch {
    // Nothing stored, or something that is not ours: the default is right for both.
  }
  return new Set(DEFAULT);
}
/** The names among these that are columns. */
export const known = (names: unknown[]): Set<ColumnKey> => new Set(COLUMNS.map((c) => c.key).filter((key) => names.includes(key)));

let chosen = $state.raw(stored());
export const columns = {
  get chosen() {
    return chosen;
  },
  set chosen(next: Set<ColumnKey>) {
    chosen = next;
    localStorage.setItem(STORED_AS, JSON.stringify([...next]));
  },
};
