// Development only: answers of the planned endpoints, made from what the server already has.
import type { ServerResponse } from 'node:http';
import type { Backend } from './mock-accounts.ts';

const INDUSTRIES = ['Dentist', 'Dental clinic', 'Orthodontist', 'Dermatologist', 'Plumber', 'Roofer', 'Florist', 'Gym', 'Veterinarian', 'Coffee shop', 'Electrician', 'Hair salon', 'Restaurant', 'Law firm'];
const TOWNS: [string, string, number | null, number, number][] = [
  ['Austin, TX', 'city', 961855, 30.2672, -97.7431], ['Austin, MN', 'city', 26174, 43.6666, -92.9746], ['Round Rock, TX', 'city', 119468, 30.5083, -97.6789],
  ['Cedar Park, TX', 'city', 77595, 30.5052, -97.8203], ['Pflugerville, TX', 'city', 65191, 30.4394, -97.62], ['Buda, TX', 'city', 15108, 30.0852, -97.8403],
  ['Lakeway, TX', 'city', 19189, 30.368, -97.9917], ['Manor, TX', 'city', 13652, 30.3408, -97.5569], ['Travis County, TX', 'county', null, 30.2395, -97.6913],
  ['Crowdville, Sandbox', 'city', 9000000, 0, 0], ['Slowtown, Sandbox', 'city', 60000, 0, 0],
];
export const marks = new Map<string, { starred: boolean; note: string | null; tags: string[] }>();

const has = (text: string, q: string) => text.toLowerCase().includes(q.toLowerCase());
export const suggestIndustries = (q: string) => INDUSTRIES.filter((name) => has(name, q)).slice(0, 8).map((name) => ({ slug: name.toLowerCase().replaceAll(' ', '_'), name, plural: `${name}s` }));
export const suggestPlaces = (q: string) => TOWNS.filter(([name]) => has(name, q)).slice(0, 8).map(([name, width, population]) => ({ name, width, country: 'US', population }));

export function area(query: URLSearchParams) {
  const town = TOWNS.find(([name]) => name.toLowerCase() === query.get('location')?.toLowerCase());
  if (!town || !town[3]) return null;
  const miles = Number(query.get('radius_miles')) || 10.8;
  const [name, width, , latitude, longitude] = town;
  const [dy, dx] = [miles / 69, miles / (69 * Math.cos((latitude * Math.PI) / 180))];
  return {
    name, width, centre: { latitude, longitude }, outline: null, radius_miles: miles,
    bounds: { south: latitude - dy, west: longitude - dx, north: latitude + dy, east: longitude + dx },
    towns: TOWNS.filter((t) => t[3] && t[1] === 'city').map((t) => ({ name: t[0].split(',')[0], latitude: t[3], longitude: t[4], population: t[2] })),
  };
}

const get = (backend: Backend, path: string) => fetch(backend.api + path, { headers: { 'X-API-Key': backend.key } });

export async function usage(backend: Backend) {
  const searches = (await (await get(backend, '/searches?limit=100')).json()) as any[];
  const days = Array.from({ length: 30 }, (_, i) => new Date(Date.now() - (29 - i) * 86_400_000).toISOString().slice(0, 10));
  const of = (day: string) => searches.filter((s) => s.created_at.startsWith(day));
  const watches = (await (await get(backend, '/radar/watches')).json()) as any[];
  const resets_at = '2026-12-01T00:00:00+00:00';
  return {
    days: days.map((day) => ({ day, credits: of(day).reduce((n, s) => n + s.credits_charged, 0), leads: of(day).reduce((n, s) => n + s.leads_found, 0), searches: of(day).length })),
    allowances: { ai: { used: 318, included: 10000, packs: 0, resets_at }, radar: { used: watches.length, cap: 1000 } },
  };
}

export async function findLeads(backend: Backend, q: string) {
  const searches = ((await (await get(backend, '/searches?limit=5')).json()) as any[]).slice(0, 5);
  const lists = await Promise.all(searches.map(async (s) => (await (await get(backend, `/searches/${s.search_id}/leads?limit=500`)).json()) as any[]));
  return lists.flat().filter((lead) => has(`${lead.business_name} ${lead.owner_name} ${lead.primary_email} ${lead.city}`, q)).slice(0, 20);
}

export async function addMarks(backend: Backend, response: ServerResponse, url: URL) {
  const answer = await get(backend, url.pathname + url.search);
  const body = await answer.json();
  response.writeHead(answer.status, { 'Content-Type': 'application/json', 'X-Search-Status': answer.headers.get('x-search-status') ?? '' });
  response.end(JSON.stringify(Array.isArray(body) ? body.map((lead: any) => ({ ...lead, mark: marks.get(lead.lead_id) ?? null })) : body));
}

export async function exportSelection(backend: Backend, search: string, ids: string[]) {
  const csv = await (await get(backend, `/searches/${search}/export`)).text();
  const [head, ...rows] = csv.split('\r\n');
  return [head, ...rows.filter((row) => ids.some((id) => row.includes(id)))].join('\r\n') + '\r\n';
}
