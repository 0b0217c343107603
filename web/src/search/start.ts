import { api, need } from '../api/client';
import { form } from './form.svelte';

/** Starts the search in the form and gives its id. The key makes a second press of the button the same search. */
export async function startSearch(idempotencyKey: string): Promise<string> {
  const [location = '', ...further] = form.locations;
  const body = {
    industry: form.industry.trim(),
    location,
    locations: further.length ? further : undefined,
    requested_count: form.count ?? undefined,
    ...form.reach,
    filters: form.filters,
    notify: form.notify,
  };
  const started = await need(api.POST('/search/start', { body, params: { header: { 'Idempotency-Key': idempotencyKey } } }));
  return started.search_id;
}
