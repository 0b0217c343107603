// Development only: the endpoints of accounts, in memory, for a server that does not have them yet. Nothing of this is built.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connect } from 'vite';
import { addMarks, area, exportSelection, findLeads, marks, suggestIndustries, suggestPlaces, usage } from './mock-data.ts';

export interface Backend {
  api: string;
  key: string;
}
interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  body: Record<string, any>;
  backend: Backend;
}
type Handler = (call: Call, ...parts: string[]) => Promise<void> | void;

const EMAIL = 'demo@example.com';
const state = {
  password: 'correct horse battery' as string | null,
  notification: null as string | null,
  tier: null as string | null,
  failures: 0,
  usedLinks: new Set<string>(),
  keys: [] as any[],
  views: new Map<string, any>(),
  sessions: new Map<string, { id: string; device: string; created_at: string; last_seen_at: string }>(),
  activity: [] as any[],
};
const now = () => new Date().toISOString();
const note = (kind: string, detail: string | null = null) => state.activity.unshift({ at: now(), kind, detail, device: 'Chromium on Linux' });

export function answer(call: Call, status: number, body?: unknown, headers: Record<string, string> = {}) {
  call.response.writeHead(status, { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers });
  call.response.end(body === undefined ? undefined : JSON.stringify(body));
}
export const refuse = (call: Call, status: number, code: string, detail: string, headers = {}) => answer(call, status, { code, detail, status, errors: [] }, headers);

const sessionOf = (request: IncomingMessage) => /mock_session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
function open(call: Call, status: number, body?: unknown) {
  const id = randomUUID();
  state.sessions.set(id, { id, device: 'Chromium on Linux', created_at: now(), last_seen_at: now() });
  note('signed_in');
  answer(call, status, body, { 'Set-Cookie': `mock_session=${id}; HttpOnly; SameSite=Lax; Path=/` });
}

const openRoutes: Record<string, Handler> = {
  'GET /account/options': (call) => answer(call, 200, { sign_up: 'open', sends_mail: true, source: 'sandbox', is_generated: true, attribution: 'Made-up businesses of the Canvass sandbox' }),
  'POST /account/sign-in': (call) => {
    if (state.failures >= 10) return refuse(call, 429, 'throttled', 'too many attempts; try again later', { 'Retry-After': '840' });
    if (call.body.email === EMAIL && call.body.password === state.password) return (state.failures = 0), open(call, 204);
    state.failures += 1;
    note('sign_in_failed');
    refuse(call, 401, 'wrong_credentials', 'the e-mail address or the password is wrong');
  },
  'POST /account/sign-up': (call) => (String(call.body.password ?? '').length < 10 ? refuse(call, 400, 'weak_password', 'use a password of at least 10 characters') : answer(call, 202)),
  'POST /account/forgot': (call) => answer(call, 202),
  'POST /account/link': (call) => {
    const token = String(call.body.token);
    if (token === 'expired') return refuse(call, 410, 'link_expired', 'this link has expired');
    if (state.usedLinks.has(token)) return refuse(call, 410, 'link_used', 'this link was already used');
    if (!token.startsWith('mock-')) return refuse(call, 404, 'unknown_link', 'this link is not known');
    state.usedLinks.add(token);
    const purpose = ['sign_up', 'reset', 'email'].find((p) => token.startsWith(`mock-${p}`)) ?? 'sign_in';
    open(call, 200, { purpose, has_password: purpose !== 'sign_in', email: EMAIL });
  },
};

const sessionRoutes: Record<string, Handler> = {
  'GET /account': async (call) => {
    const me = await (await fetch(`${call.backend.api}/me`, { headers: { 'X-API-Key': call.backend.key } })).json();
    const free = { tier: state.tier, entitlements: { ...me.entitlements, api_access: false, scope: 'city', per_search_cap: 25, signals_plus: false, radar: false } };
    answer(call, 200, { ...me, ...(state.tier ? free : {}), has_password: true, may_set_password: false, notification_email: state.notification ?? EMAIL, created_at: '2026-03-02T09:00:00+00:00' });
  },
  'POST /account/mock-tier': (call) => ((state.tier = call.body.tier), answer(call, 204)),
  'POST /account/sign-out': (call) => (state.sessions.delete(sessionOf(call.request)!), note('signed_out'), answer(call, 204)),
  'POST /account/sign-out-everywhere': (call) => (answer(call, 200, { ended: state.sessions.size }), state.sessions.clear()),
  'GET /account/devices': (call) => answer(call, 200, [...state.sessions.values()].map((s) => ({ ...s, is_current: s.id === sessionOf(call.request) }))),
  'DELETE /account/devices/([^/]+)': (call, id) => answer(call, state.sessions.delete(id!) ? 204 : 404),
  'PUT /account/password': (call) => {
    if (call.body.current_password !== undefined && call.body.current_password !== state.password) return refuse(call, 400, 'wrong_password', 'the current password is wrong');
    if (String(call.body.new_password).length < 10) return refuse(call, 400, 'weak_password', 'use a password of at least 10 characters');
    state.password = call.body.new_password;
    note('password_changed');
    answer(call, 204);
  },
  'PUT /account/email': (call) => (call.body.password === state.password ? answer(call, 202) : refuse(call, 400, 'wrong_password', 'the password is wrong')),
  'PUT /account/notification-email': (call) => ((state.notification = call.body.email), answer(call, 204)),
  'GET /account/activity': (call) => answer(call, 200, state.activity.slice(0, 50)),
  'GET /account/export': (call) => answer(call, 200, { email: EMAIL }, { 'Content-Disposition': 'attachment; filename="canvass-account.json"' }),
  'DELETE /account': (call) => (call.body.password === state.password ? (state.sessions.clear(), answer(call, 204)) : refuse(call, 400, 'wrong_password', 'the password is wrong')),
  'GET /account/keys': (call) => answer(call, 200, state.keys),
  'POST /account/keys': (call) => {
    if (state.tier) return refuse(call, 403, 'plan_without_api', 'the free plan does not include API access');
    const key = `cv_live_${randomUUID().replaceAll('-', '')}0123456`;
    const made = { id: randomUUID(), name: call.body.name, prefix: key.slice(0, 12), created_at: now(), last_used_at: null, revoked_at: null };
    state.keys.unshift(made);
    note('key_created', made.name);
    answer(call, 201, { ...made, key });
  },
  'DELETE /account/keys/([^/]+)': (call, id) => {
    const key = state.keys.find((k) => k.id === id);
    if (!key) return refuse(call, 404, 'unknown_key', 'there is no such key');
    key.revoked_at = now();
    note('key_revoked', key.name);
    answer(call, 204);
  },
  'GET /account/views': (call) => answer(call, 200, [...state.views.values()]),
  'PUT /account/views/([^/]+)': (call, name) => (state.views.set(name!, { ...call.body, name: decodeURIComponent(name!) }), answer(call, 204)),
  'DELETE /account/views/([^/]+)': (call, name) => (state.views.delete(name!), answer(call, 204)),
  'GET /suggest/industries': (call) => answer(call, 200, suggestIndustries(call.url.searchParams.get('q') ?? '')),
  'GET /suggest/places': (call) => answer(call, 200, suggestPlaces(call.url.searchParams.get('q') ?? '')),
  'GET /area': (call) => {
    const found = area(call.url.searchParams);
    if (found) answer(call, 200, found);
    else refuse(call, 400, 'unknown_location', 'this place is not known');
  },
  'GET /usage': async (call) => answer(call, 200, await usage(call.backend)),
  'GET /leads': async (call) => answer(call, 200, await findLeads(call.backend, call.url.searchParams.get('q') ?? '')),
  'GET /searches/([^/]+)/leads': async (call) => addMarks(call.backend, call.response, call.url),
  'PUT /leads/([^/]+)/mark': (call, lead) => {
    marks.set(lead!, { ...(marks.get(lead!) ?? { starred: false, note: null, tags: [] }), ...call.body });
    answer(call, 200, marks.get(lead!));
  },
  'POST /searches/([^/]+)/selection-export': async (call, search) => {
    const csv = await exportSelection(call.backend, search!, call.body.lead_ids);
    call.response.writeHead(200, { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment; filename="leads-selection.csv"' });
    call.response.end(csv);
  },
};

async function readBody(request: IncomingMessage): Promise<Record<string, any>> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text ? JSON.parse(text) : {};
}

/** Answers what the server does not have yet, and lets the rest through to the proxy once somebody is signed in. */
export function mockAccounts(middlewares: Connect.Server, backend: Backend) {
  middlewares.use(async (request, response, next) => {
    const url = new URL(request.url ?? '/', 'http://mock');
    if (url.pathname.startsWith('/app') || url.pathname.startsWith('/@') || url.pathname.startsWith('/docs')) return next();
    const call: Call = { request, response, url, body: {}, backend };
    const find = (routes: Record<string, Handler>) => {
      for (const [pattern, handler] of Object.entries(routes)) {
        const found = new RegExp(`^${pattern}$`).exec(`${request.method} ${url.pathname}`);
        if (found) return () => handler(call, ...found.slice(1));
      }
      return null;
    };
    const free = find(openRoutes);
    const id = sessionOf(request);
    if (!free && !(id && state.sessions.has(id))) return refuse(call, 401, 'no_session', 'sign in first');
    const handle = free ?? find(sessionRoutes);
    if (!handle) return next();
    if (request.method !== 'GET') call.body = await readBody(request);
    try {
      await handle();
    } catch (error) {
      refuse(call, 500, 'mock_failed', String(error));
    }
  });
}
