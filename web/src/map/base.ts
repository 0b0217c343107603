// What is under the dots: the area's outline or circle, and the names of towns.
import type { Lead } from '../api/leads';
import type { Area } from '../api/places';
import { boxOf, toWorld, worldPerMile, type Box, type Point } from './project';

export interface Town {
  name: string;
  size: number;
  at: Point;
}
export interface BaseMap {
  rings: Point[][];
  circle: { at: Point; radius: number } | null;
  towns: Town[];
  box: Box | null;
}
export interface Dot {
  lead: Lead;
  at: Point;
}

export const dotsOf = (leads: Lead[]): Dot[] =>
  leads.flatMap((lead) => (lead.latitude === null || lead.longitude === null ? [] : [{ lead, at: toWorld(lead.longitude, lead.latitude) }]));

export function baseFromArea(area: Area): BaseMap {
  const rings = (area.outline?.coordinates ?? []).flatMap((polygon) => polygon.map((ring) => ring.map(([lon, lat]) => toWorld(lon ?? 0, lat ?? 0))));
  const centre = toWorld(area.centre.longitude, area.centre.latitude);
  const { west, north, east, south } = area.bounds;
  return {
    rings,
    circle: !rings.length && area.radius_miles ? { at: centre, radius: area.radius_miles * worldPerMile(area.centre.latitude) } : null,
    towns: area.towns.map((town) => ({ name: town.name, size: town.population, at: toWorld(town.longitude, town.latitude) })).sort((a, b) => b.size - a.size),
    box: boxOf([toWorld(west, north), toWorld(east, south)]),
  };
}

const TOWNS_MAX = 60;
/** Without the server's help the leads themselves say where towns are: the middle of those that name one. */
export function baseFromDots(dots: Dot[]): BaseMap {
  const towns = new Map<string, Point[]>();
  for (const { lead, at } of dots) if (lead.city) towns.set(lead.city, [...(towns.get(lead.city) ?? []), at]);
  const middle = (points: Point[]): Point => [points.reduce((sum, [x]) => sum + x, 0) / points.length, points.reduce((sum, [, y]) => sum + y, 0) / points.length];
  const bySize = [...towns].map(([name, points]) => ({ name, size: points.length, at: middle(points) })).sort((a, b) => b.size - a.size).slice(0, TOWNS_MAX);
  return {
    rings: [],
    circle: null,
    // The town with the most leads counts as big, so that its name stays readable among its own dots.
    towns: bySize.map((town, i) => (i ? town : { ...town, size: Infinity })),
    box: boxOf(dots.map((dot) => dot.at)),
  };
}
