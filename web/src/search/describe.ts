// How a search is described in a few words, the same on every page.
import type { Filters, Search } from '../api/client';
import { sentence } from '../api/problem';
import { capital, plural } from '../text/format';

export const titleOf = (search: Search) => `${capital(search.industry)} in ${placeOf(search)}`;
export const placeOf = (search: Search) => search.coverage.area || search.location;
export const reachOf = (search: Search) => (search.radius_miles ? `${plural(search.radius_miles, 'mile')} around` : capital(search.scope));

export function filterWords(filters: Filters): string[] {
  const words: (string | number | false | null | undefined)[] = [
    filters.min_rating && `rated ${filters.min_rating}+`,
    filters.max_rating && `rated ${filters.max_rating} at most`,
    filters.min_reviews && `${filters.min_reviews}+ reviews`,
    filters.max_reviews && `${filters.max_reviews} reviews at most`,
    filters.has_website === true && 'has website',
    filters.has_website === false && 'no website',
    filters.has_phone && 'has phone',
    filters.has_email && 'has email',
    filters.skip_owned && 'skips owned',
  ];
  return words.filter((word): word is string => typeof word === 'string');
}

const ENDS: Record<string, string> = {
  requested_count: 'As many as asked',
  area_exhausted: 'No more in this area',
  credits: 'Credits used up',
  cancelled: 'Stopped by you',
  failed: 'Failed',
};

/** Why a search ended, in a few words; empty while it runs. */
export function endOf(search: Search): string {
  if (search.status === 'running') return '';
  return ENDS[search.coverage.stopped_because ?? ''] ?? ENDS[search.status] ?? capital(search.status);
}

const LEFT_OUT: Record<string, string> = { rating: 'rating', reviews: 'reviews', website: 'website', phone: 'phone', email: 'no email', owned: 'already yours', duplicate: 'duplicates' };
/** What was left out and why, such as `4 rating, 2 no email`. */
export const leftOut = (filtered: Record<string, number>) => Object.entries(filtered).map(([why, n]) => `${n} ${LEFT_OUT[why] ?? why.replaceAll('_', ' ')}`).join(', ');
export const leftOutCount = (filtered: Record<string, number>) => Object.values(filtered).reduce((sum, n) => sum + n, 0);

/** Why a search failed, and what became of its leads. The API says the latter for any number of leads; the page knows the number. */
export function whyFailed(search: Search): string {
  const reason = (search.failure_reason ?? 'the search failed').replace(/\s*Leads found before are kept; no others were charged\.$/, '');
  return `${sentence(new Error(reason))} ${search.leads_found ? `The ${plural(search.leads_found, 'lead')} found before ${search.leads_found === 1 ? 'is' : 'are'} kept.` : 'Nothing was charged.'}`;
}
