// What is typed into the search form. It outlives the page, so that "Again" and the back button find it filled in.
import type { Filters, Scope, Search } from '../api/client';
import { locationsOf } from '../api/places';

export type Width = Scope | 'radius';
type Website = 'any' | 'with' | 'without';

class SearchForm {
  industry = $state('');
  places = $state<string[]>(['']);
  width = $state<Width>('city');
  miles = $state<number | null>(10);
  count = $state<number | null>(25);
  minRating = $state('');
  minReviews = $state<number | null>(null);
  maxReviews = $state<number | null>(null);
  website = $state<Website>('any');
  hasPhone = $state(false);
  hasEmail = $state(false);
  skipOwned = $state(false);
  notify = $state(false);

  /** Filters as the API takes them: only those that ask for something. */
  get filters(): Filters {
    const filters: Filters = {};
    if (this.minRating) filters.min_rating = Number(this.minRating);
    if (this.minReviews) filters.min_reviews = this.minReviews;
    if (this.maxReviews) filters.max_reviews = this.maxReviews;
    if (this.website !== 'any') filters.has_website = this.website === 'with';
    if (this.hasPhone) filters.has_phone = true;
    if (this.hasEmail) filters.has_email = true;
    if (this.skipOwned) filters.skip_owned = true;
    return filters;
  }
  get filterCount(): number {
    return Object.keys(this.filters).length;
  }
  get reach() {
    return this.width === 'radius' ? { radius_miles: this.miles ?? 10 } : { scope: this.width };
  }
  /** The places that were filled in. */
  get locations(): string[] {
    return this.places.map((place) => place.trim()).filter(Boolean);
  }

  fillFrom(search: Search): void {
    const filters = search.filters;
    this.industry = search.industry;
    this.places = locationsOf(search);
    this.width = search.radius_miles ? 'radius' : search.scope;
    this.miles = search.radius_miles ?? 10;
    this.count = search.requested;
    this.minRating = filters.min_rating ? String(filters.min_rating) : '';
    this.minReviews = filters.min_reviews ?? null;
    this.maxReviews = filters.max_reviews ?? null;
    this.website = filters.has_website === true ? 'with' : filters.has_website === false ? 'without' : 'any';
    this.hasPhone = !!filters.has_phone;
    this.hasEmail = !!filters.has_email;
    this.skipOwned = !!filters.skip_owned;
  }
}
export const form = new SearchForm();
