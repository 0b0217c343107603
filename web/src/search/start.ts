import { api, need } from '../api/client';
import { form } from './form.svelte';

/** Starts the search in the form and gives its id. The key makes a second press of the button the same search. */
export async function startSearch(idempotencyKey: string): Promise<string> {
  const body = {
    industry: form.industry.trim(),
    ...(form.locations.length > 1 ? { locations: form.locations } : { location: form.locations[0] }),
    requested_count: form.count ?? undefined,
    ...form.reach,
    filters: form.filters,
    notify: form.notify,
  };
  const started = await need(api.POST('/search/start', { body, params: { header: { 'Idempotency-Key': idempotencyKey } } }));
  return started.search_id;
}
