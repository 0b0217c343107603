// What the search in the form would find and cost, asked again whenever the form rests for a moment.
import { api, need, type Quote } from '../api/client';
import { Problem } from '../api/problem';
import { form } from './form.svelte';

const REST_MS = 350;

export class LiveQuote {
  quotes = $state.raw<Quote[]>([]);
  problem = $state.raw<Problem | null>(null);
  /** The place that the problem is about. */
  problemPlace = $state(-1);
  asking = $state(false);
  private timer = 0;
  private abort = new AbortController();

  /** Asks for what is in the form now; called in an effect, so reading the form here subscribes to it. */
  ask(): void {
    const { industry, locations, filters, reach, count } = form;
    clearTimeout(this.timer);
    this.abort.abort();
    this.problem = null;
    if (industry.trim().length < 2 || !locations.length) {
      this.quotes = [];
      this.asking = false;
      return;
    }
    this.asking = true;
    this.abort = new AbortController();
    const { signal } = this.abort;
    const query = { industry, requested_count: count ?? undefined, ...reach, ...filters } as const;
    this.timer = window.setTimeout(() => void this.fetch(locations, query, signal), REST_MS);
  }

  private async fetch(locations: string[], query: object, signal: AbortSignal): Promise<void> {
    const quotes: Quote[] = [];
    for (const [i, location] of locations.entries()) {
      try {
        quotes.push(await need(api.GET('/search/quote', { params: { query: { ...query, location } as never }, signal })));
      } catch (error) {
        if (signal.aborted) return;
        this.problem = error instanceof Problem ? error : new Problem(0, 'unknown', String(error));
        this.problemPlace = i;
        this.quotes = [];
        this.asking = false;
        return;
      }
    }
    if (signal.aborted) return;
    this.quotes = quotes;
    this.asking = false;
  }
}
