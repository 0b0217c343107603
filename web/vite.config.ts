import fs from 'node:fs';
import { defineConfig, type Connect, type PreviewServer } from 'vite';
import { svelte } from '@sveltejs/vite-plugin-svelte';

// The policy that the server sends with the page; sent here too, so that a breach shows before it is embedded.
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html";

// For development only: the server to talk to. The host stays that of the page, so that the server sees requests of its own pages.
const api = process.env.WEB_API ?? 'http://127.0.0.1:8080';
const paths = ['/me', '/search', '/searches', '/leads', '/tags', '/credits', '/radar', '/exports', '/docs', '/openapi.json', '/account', '/suggest', '/area', '/usage', '/mcp', '/assets'];
const proxy = Object.fromEntries(paths.map((path) => [`^${path}(/|\\?|$)`, { target: api }]));

function addPolicy(server: PreviewServer) {
  const add: Connect.NextHandleFunction = (request, response, next) => {
    if (/^\/app(\/|$)/.test(request.url ?? '')) response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    next();
  };
  server.middlewares.use(add);
}

const iconPaths = (name: string) =>
  fs.readFileSync(`node_modules/lucide-static/icons/${name}.svg`, 'utf8').replace(/<!--.*?-->|<\/?svg[^>]*>/gs, '').replace(/\s+/g, ' ').trim();

/** Icons of table rows without components, which cost the most of a scroll step: masks for single ones, paths to draw a strip of signals. */
function rowIcons() {
  const masks: Record<string, string> = { star: 'star', copy: 'copy', mail: 'mail', phone: 'phone' };
  const signals: Record<string, string> = { booking: 'calendar-check', store: 'shopping-bag', ordering: 'utensils', chat: 'message-circle', ads: 'megaphone', analytics: 'chart-no-axes-column' };
  const svg = (name: string) =>
    encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="${name === 'star' ? 'black' : 'none'}" stroke="black" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${iconPaths(name)}</svg>`);
  const modules: Record<string, () => string> = {
    'virtual:icon-masks.css': () => Object.entries(masks).map(([key, name]) => `.mask.${key}{mask:url("data:image/svg+xml,${svg(name)}") center/100% no-repeat}`).join('\n'),
    'virtual:signal-paths': () => `export default ${JSON.stringify(Object.fromEntries(Object.entries(signals).map(([key, name]) => [key, iconPaths(name)])))}`,
  };
  return { name: 'row-icons', resolveId: (id: string) => (id in modules ? id : null), load: (id: string) => modules[id]?.() ?? null };
}

export default defineConfig({
  base: '/app/',
  plugins: [
    svelte(),
    rowIcons(),
    { name: 'canvass-policy', configurePreviewServer: addPolicy },
  ],
  server: { proxy },
  preview: { proxy },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
