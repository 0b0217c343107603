// Which businesses the account watches, by the lead that each watch was made from.
import { api, need, type Watch } from '../api/client';

let list = $state.raw<Watch[]>([]);
// A business that was found by several searches has one watch, which names only one of its leads; the others are learnt when watched.
let learnt = $state.raw(new Map<string, string>());
const byLead = $derived(new Map([...learnt].filter(([, watch]) => list.some((w) => w.id === watch)).concat(list.map((watch) => [watch.lead_id, watch.id]))));
let loaded = false;

export const watches = {
  get list() {
    return list;
  },
  isWatched: (lead: string) => byLead.has(lead),
};

export async function loadWatches(again: 'again' | 'once' = 'once'): Promise<void> {
  if (loaded && again === 'once') return;
  loaded = true;
  list = await need(api.GET('/radar/watches'));
}

/** Watches the business of a lead, and gives how many of the plan's watches are used. */
export async function watchLead(lead: string) {
  const created = await need(api.POST('/radar/watch', { body: { lead_id: lead } }));
  learnt = new Map(learnt).set(lead, created.id);
  await loadWatches('again');
  return created;
}

export async function unwatch(watch: string): Promise<void> {
  await need(api.DELETE('/radar/watch/{watch_id}', { params: { path: { watch_id: watch } } }));
  list = list.filter((other) => other.id !== watch);
}
export const watchOf = (lead: string) => byLead.get(lead);
