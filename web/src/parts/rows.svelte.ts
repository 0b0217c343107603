// Rows of one height: which of them are on screen. Nothing is measured, so this is all there is to a virtual list.

/** Rows come and go this many at a time: most steps of scrolling then change nothing in the page. */
const BLOCK = 4;

export class Rows {
  top = $state(0);
  height = $state(600);
  constructor(
    private count: () => number,
    private rowHeight: number,
    private overscan = 2,
  ) {}
  first = $derived.by(() => {
    const row = Math.min(Math.floor(this.top / this.rowHeight), this.count() - 1);
    return Math.max(0, Math.floor(row / BLOCK) * BLOCK - this.overscan);
  });
  last = $derived.by(() => {
    const row = Math.ceil((this.top + this.height) / this.rowHeight);
    return Math.min(this.count(), Math.ceil(row / BLOCK) * BLOCK + this.overscan);
  });
  before = $derived.by(() => this.first * this.rowHeight);
  after = $derived.by(() => Math.max(0, this.count() - this.last) * this.rowHeight);

  /** Where to scroll so that a row is wholly visible; the present position when it already is. */
  positionOf(index: number, header = 0): number {
    const start = index * this.rowHeight;
    if (start < this.top) return start;
    const end = start + this.rowHeight + header;
    // Whole rows: the first one must not be half hidden under a sticky header.
    return end > this.top + this.height ? Math.ceil((end - this.height) / this.rowHeight) * this.rowHeight : this.top;
  }
}
