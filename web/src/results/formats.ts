// The files that leads can be exported to, and what each is for.
export interface Format {
  name: string;
  purpose: string;
  /** Parameters of the export; without a channel it is the file of all fields. */
  query: Record<string, string>;
}
export const FORMATS: Format[] = [
  { name: 'All fields', purpose: 'Every column, as CSV', query: {} },
  { name: 'For Excel', purpose: 'The same, with the mark by which Excel knows UTF-8', query: { bom: 'true' } },
  { name: 'CRM', purpose: 'A contact first, then every field', query: { channel: 'crm' } },
  { name: 'HubSpot', purpose: 'Columns named as its import expects', query: { channel: 'crm', preset: 'hubspot' } },
  { name: 'Salesforce', purpose: 'Columns named as its import expects', query: { channel: 'crm', preset: 'salesforce' } },
  { name: 'Pipedrive', purpose: 'Columns named as its import expects', query: { channel: 'crm', preset: 'pipedrive' } },
  { name: 'Call list', purpose: 'Those with a phone: name, owner, phone, address', query: { channel: 'call_list' } },
  { name: 'Letters', purpose: 'Those with a full postal address', query: { channel: 'direct_mail' } },
];
export const PLATFORMS = { google: 'Google Customer Match', meta: 'Meta custom audience', tiktok: 'TikTok customer file', linkedin: 'LinkedIn contact list' };
export type Platform = keyof typeof PLATFORMS;

/** Where a whole search is downloaded in a format. */
export function exportPath(search: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return `/searches/${encodeURIComponent(search)}/${query.channel ? 'campaign-export' : 'export'}${text ? `?${text}` : ''}`;
}
