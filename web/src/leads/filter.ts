// Which leads of a search are shown, and in which order. All of it happens in the page: nothing is asked or paid again.
import type { Lead } from '../api/leads';
import { HIGH_FROM } from './signals';

export type ChipKey = 'email' | 'score' | 'owner' | 'nobooking' | 'pixel' | 'nosite' | 'starred';
export interface Chip {
  key: ChipKey;
  name: string;
  keeps: (lead: Lead) => boolean;
}
export const CHIPS: Chip[] = [
  { key: 'email', name: 'Has email', keeps: (lead) => !!lead.primary_email },
  { key: 'score', name: `Score ${HIGH_FROM}+`, keeps: (lead) => (lead.signals.score ?? 0) >= HIGH_FROM },
  { key: 'nobooking', name: 'No online booking', keeps: (lead) => lead.signals.basic.detected && !lead.signals.basic.booking },
  { key: 'pixel', name: 'Ad pixel', keeps: (lead) => !!lead.signals.basic.has_ad_pixel },
  { key: 'owner', name: 'Owner known', keeps: (lead) => !!lead.owner_name },
  { key: 'nosite', name: 'No website', keeps: (lead) => !lead.signals.basic.has_website },
  { key: 'starred', name: 'Starred', keeps: (lead) => !!lead.mark?.starred },
];

export interface Sort {
  key: string;
  descending: boolean;
}

/** What the filter box looks through. Made once a lead, because it is asked on every key. */
const texts = new WeakMap<Lead, string>();
function textOf(lead: Lead): string {
  let text = texts.get(lead);
  if (text === undefined) {
    const parts = [lead.business_name, lead.owner_name, lead.primary_email, lead.city, lead.address, lead.website, lead.phone, lead.signals.basic.platform, ...(lead.mark?.tags ?? [])];
    text = parts.filter(Boolean).join('\n').toLowerCase();
    texts.set(lead, text);
  }
  return text;
}

export function filterLeads(leads: Lead[], text: string, chips: Set<ChipKey>): Lead[] {
  const needle = text.trim().toLowerCase();
  const tests = CHIPS.filter((chip) => chips.has(chip.key));
  if (!needle && !tests.length) return leads;
  return leads.filter((lead) => tests.every((chip) => chip.keeps(lead)) && (!needle || textOf(lead).includes(needle)));
}

const LAST = '\uffff';
const VALUES: Record<string, (lead: Lead) => string | number> = {
  name: (lead) => lead.business_name.toLowerCase(),
  score: (lead) => lead.signals.score ?? -1,
  rating: (lead) => lead.rating ?? -1,
  owner: (lead) => lead.owner_name?.toLowerCase() ?? LAST,
  email: (lead) => lead.primary_email ?? LAST,
  city: (lead) => lead.city?.toLowerCase() ?? LAST,
  platform: (lead) => lead.signals.basic.platform ?? LAST,
};

export function sortLeads(leads: Lead[], sort: Sort | null): Lead[] {
  const value = sort && VALUES[sort.key];
  if (!value) return leads;
  const sign = sort.descending ? -1 : 1;
  return leads.map((lead) => [value(lead), lead] as const).sort(([a], [b]) => (a < b ? -sign : a > b ? sign : 0)).map(([, lead]) => lead);
}
