// What a lead's website shows, in the order in which every place lists it.
import type { Lead } from '../api/leads';
import { words } from '../text/format';
import { toolName } from '../text/tool-name';

export type Level = 'high' | 'middle' | 'low';
export const HIGH_FROM = 60;
export const MIDDLE_FROM = 35;
export const levelOf = (score: number): Level => (score >= HIGH_FROM ? 'high' : score >= MIDDLE_FROM ? 'middle' : 'low');

export type Confidence = 'good' | 'fair' | 'weak';
export const confidenceOf = (value: number): Confidence => (value >= 0.8 ? 'good' : value >= 0.6 ? 'fair' : 'weak');

export interface Signal {
  key: 'booking' | 'store' | 'ordering' | 'chat' | 'ads' | 'analytics';
  name: string;
  value: string;
  on: boolean;
}

const NONE = 'none';
const list = (values: string[] | null) => (values?.length ? values.map(toolName).join(', ') : NONE);

export function signalsOf(lead: Lead): Signal[] {
  const basic = lead.signals.basic;
  return [
    { key: 'booking', name: 'Online booking', value: basic.booking ? toolName(basic.booking) : NONE, on: !!basic.booking },
    { key: 'store', name: 'Online store', value: basic.ecommerce ? 'yes' : NONE, on: !!basic.ecommerce },
    { key: 'ordering', name: 'Online ordering', value: basic.online_ordering ? toolName(basic.online_ordering) : NONE, on: !!basic.online_ordering },
    { key: 'chat', name: 'Live chat', value: basic.chat ? toolName(basic.chat) : NONE, on: !!basic.chat },
    { key: 'ads', name: 'Ad pixel', value: list(basic.ad_networks), on: !!basic.has_ad_pixel },
    { key: 'analytics', name: 'Analytics', value: list(basic.analytics), on: !!basic.has_analytics },
  ];
}

/** Why nothing is known of a website, in a few words; null when it was read. */
export function unreadBecause(lead: Lead): string | null {
  if (lead.signals.basic.detected) return null;
  return SHORT[lead.site_status] ?? `not read: ${words(lead.site_status)}`;
}
const SHORT: Record<string, string> = { none: 'no website', social_only: 'only a social page', robots: 'not read: robots.txt', parked: 'parked domain', dead: 'site is gone', timeout: 'not read: too slow', blocked: 'not read: blocked', error: 'not read: broken' };

const LONG: Record<string, string> = {
  none: 'The listing names no website.',
  social_only: 'The business has only a page on a social network, which is not read.',
  robots: "The website's robots.txt asks programs not to read it, so it was not read.",
  blocked: 'The website refused to be read.',
  timeout: 'The website did not answer in time.',
  dead: 'The website does not exist any more.',
  parked: 'The address only shows a page of the domain seller.',
  error: 'The website answered with an error.',
};
export const whyUnread = (status: string) => LONG[status] ?? 'The website could not be read.';
