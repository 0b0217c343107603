// Calls about what can be searched: suggestions while typing, and the area of a search.
import { api, need, type Schemas, type Search } from './client';

export type Area = Schemas['Area'];
const SUGGESTED_MAX = 8;

export const suggestIndustries = (q: string) => need(api.GET('/suggest/industries', { params: { query: { q, limit: SUGGESTED_MAX } } }));
export const suggestPlaces = (q: string) => need(api.GET('/suggest/places', { params: { query: { q, limit: SUGGESTED_MAX } } }));

/** The places of a search: several are one text, separated by semicolons. */
export const locationsOf = (search: Search) => search.location.split(';').map((place) => place.trim()).filter(Boolean);

/** The area of a search. Several places are one area, as far as a map is concerned. */
export async function readArea(search: Search): Promise<Area | null> {
  const reach = search.radius_miles ? { radius_miles: search.radius_miles } : { scope: search.scope };
  const areas = await Promise.all(locationsOf(search).map((location) => need(api.GET('/area', { params: { query: { location, ...reach } } }))));
  return areas.length ? areas.reduce(join) : null;
}

function join(one: Area, other: Area): Area {
  const [a, b] = [one.bounds, other.bounds];
  const bounds = { south: Math.min(a.south, b.south), west: Math.min(a.west, b.west), north: Math.max(a.north, b.north), east: Math.max(a.east, b.east) };
  return {
    ...one,
    name: `${one.name}; ${other.name}`,
    bounds,
    centre: { latitude: (bounds.south + bounds.north) / 2, longitude: (bounds.west + bounds.east) / 2 },
    outline: one.outline && other.outline ? { ...one.outline, coordinates: [...one.outline.coordinates, ...other.outline.coordinates] } : null,
    // One circle would be wrong for two.
    radius_miles: null,
    towns: [...one.towns, ...other.towns],
  };
}
