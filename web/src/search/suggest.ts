// Suggestions while typing. When they do not come, there are only those of past searches.
import type { Search } from '../api/client';
import { suggestIndustries, suggestPlaces } from '../api/places';
import type { Suggestion } from '../parts/Combobox.svelte';
import { count } from '../text/format';

const without = (values: string[], text: string): Suggestion[] =>
  [...new Set(values)].filter((value) => value.toLowerCase().includes(text.toLowerCase())).slice(0, 6).map((name) => ({ name, note: 'searched before' }));

export async function industriesLike(text: string, past: Search[]): Promise<Suggestion[]> {
  const found = text ? await suggestIndustries(text).catch(() => null) : null;
  return found?.map(({ name }) => ({ name })) ?? without(past.map((search) => search.industry), text);
}

export async function placesLike(text: string, past: Search[]): Promise<Suggestion[]> {
  const found = text ? await suggestPlaces(text).catch(() => null) : null;
  const note = (width: string, population: number | null) => (population ? `${width} · ${count(population)}` : width);
  return found?.map((place) => ({ name: place.name, note: note(place.width, place.population), width: place.width })) ?? without(past.map((search) => search.location), text);
}

/** The names in "was not found: did you mean Austin, TX or Austin, MN?", to offer them as buttons. */
export function nearestNames(detail: string): string[] {
  const list = /did you mean (.+?)\?/.exec(detail)?.[1];
  return list ? list.split(' or ').map((name) => name.trim()).filter(Boolean).slice(0, 5) : [];
}
