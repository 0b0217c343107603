// Endpoints that openapi.json does not describe yet. When it does, each function here is replaced by a call of the typed client.
import { noticed, type Account } from './client';
import { offline, problemOf } from './problem';
import type { components } from './schema';

export interface Mark {
  starred: boolean;
  note: string | null;
  tags: string[];
}
export type Lead = components['schemas']['Lead'] & { mark?: Mark | null };

export interface Options {
  sign_up: 'open' | 'invite' | 'closed';
  /** Whether e-mails are sent; else they are written to the operator's outbox folder. */
  sends_mail: boolean;
  source: string;
  is_generated: boolean;
  attribution: string | null;
}
export interface AccountDetails extends Account {
  has_password: boolean;
  may_set_password: boolean;
  /** Where e-mails about searches go; the account's own address unless another was chosen. */
  notification_email: string;
  created_at: string;
}
export interface LinkUsed {
  purpose: 'sign_in' | 'sign_up' | 'reset' | 'email';
  has_password: boolean;
  email: string;
}
export interface Device {
  id: string;
  device: string;
  created_at: string;
  last_seen_at: string;
  is_current: boolean;
}
export interface Activity {
  at: string;
  kind: string;
  detail: string | null;
  device: string | null;
}
export interface Key {
  id: string;
  name: string;
  prefix: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}
export interface IndustrySuggestion {
  slug: string;
  name: string;
  plural: string;
}
export interface PlaceSuggestion {
  name: string;
  width: string;
  country: string;
  population: number | null;
}
export interface Area {
  name: string;
  width: string;
  bounds: { south: number; west: number; north: number; east: number };
  centre: { latitude: number; longitude: number };
  outline: { type: 'MultiPolygon'; coordinates: number[][][][] } | null;
  radius_miles: number | null;
  towns: { name: string; latitude: number; longitude: number; population: number }[];
}
export interface Allowance {
  used: number;
  included: number;
  packs: number;
  resets_at: string;
}
export interface Usage {
  days: { day: string; credits: number; leads: number; searches: number }[];
  allowances: { ai: Allowance; radar: { used: number; cap: number } };
}
export interface View {
  name: string;
  [setting: string]: unknown;
}

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(path, { method, headers, credentials: 'same-origin', body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw offline();
  }
  if (!response.ok) throw noticed(problemOf(response, await response.json().catch(() => null)));
  return response;
}
const read = async <T>(path: string): Promise<T> => (await send('GET', path)).json();
const write = async (method: string, path: string, body?: unknown): Promise<void> => void (await send(method, path, body));
const at = encodeURIComponent;

// Without a session.
export const readOptions = () => read<Options>('/account/options');
export const signIn = (email: string, password: string) => write('POST', '/account/sign-in', { email, password });
export const signUp = (email: string, password: string) => write('POST', '/account/sign-up', { email, password });
export const forgot = (email: string) => write('POST', '/account/forgot', { email });
export const takeLink = async (token: string): Promise<LinkUsed> => (await send('POST', '/account/link', { token })).json();

// With a session.
export const readAccount = () => read<AccountDetails>('/account');
export const signOut = () => write('POST', '/account/sign-out');
export const signOutEverywhere = () => write('POST', '/account/sign-out-everywhere');
export const listDevices = () => read<Device[]>('/account/devices');
export const endDevice = (id: string) => write('DELETE', `/account/devices/${at(id)}`);
export const setPassword = (password: string, current?: string) => write('PUT', '/account/password', { current_password: current, new_password: password });
export const changeEmail = (email: string, password: string) => write('PUT', '/account/email', { email, password });
export const setNotificationEmail = (email: string | null) => write('PUT', '/account/notification-email', { email });
export const listActivity = () => read<Activity[]>('/account/activity');
export const deleteAccount = (password: string) => write('DELETE', '/account', { password });
export const listKeys = () => read<Key[]>('/account/keys');
export const createKey = async (name: string): Promise<Key & { key: string }> => (await send('POST', '/account/keys', { name })).json();
export const revokeKey = (id: string) => write('DELETE', `/account/keys/${at(id)}`);
export const listViews = () => read<View[]>('/account/views');
export const saveView = (name: string, view: object) => write('PUT', `/account/views/${at(name)}`, view);
export const deleteView = (name: string) => write('DELETE', `/account/views/${at(name)}`);

// With a session or a key.
export const suggestIndustries = (q: string) => read<IndustrySuggestion[]>(`/suggest/industries?limit=8&q=${at(q)}`);
export const suggestPlaces = (q: string) => read<PlaceSuggestion[]>(`/suggest/places?limit=8&q=${at(q)}`);
export const readUsage = () => read<Usage>('/usage?days=30');
export const readArea = (location: string, reach: { scope: string; radius_miles: number | null }) =>
  read<Area>(`/area?location=${at(location)}&${reach.radius_miles ? `radius_miles=${reach.radius_miles}` : `scope=${reach.scope}`}`);
export const setMark = async (lead: string, mark: Partial<Mark>): Promise<Mark> => (await send('PUT', `/leads/${at(lead)}/mark`, mark)).json();
export const findLeads = (q: string) => read<Lead[]>(`/leads?q=${at(q)}`);
export const exportSelection = (search: string, leadIds: string[], channel: object) =>
  send('POST', `/searches/${at(search)}/selection-export`, { lead_ids: leadIds, ...channel });
