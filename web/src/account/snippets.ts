// How each assistant or program is connected. The address is where this page was opened, which is what reaches the server.
export interface Tool {
  name: string;
  steps: string;
  text: (origin: string, key: string) => string;
  /** Whether it connects from its maker's servers, so that this server must be reachable from the internet. */
  isRemote?: boolean;
}
const addressWithKey = (origin: string, key: string) => `${origin}/mcp/${key}`;

export const TOOLS: Tool[] = [
  { name: 'Claude', steps: 'Customize → Connectors → + → Add custom connector. Name it Canvass and give it this address. It contains the key: keep it secret.', text: addressWithKey, isRemote: true },
  { name: 'ChatGPT', steps: 'Settings → Apps → Advanced settings: turn Developer mode on. Then Apps → Create app → No authentication, and this address. It contains the key: keep it secret.', text: addressWithKey, isRemote: true },
  { name: 'Claude Code', steps: 'In a shell:', text: (origin, key) => `claude mcp add --transport http canvass ${origin}/mcp --header "X-API-Key: ${key}"` },
  { name: 'Cursor', steps: 'In ~/.cursor/mcp.json:', text: (origin, key) => JSON.stringify({ mcpServers: { canvass: { url: `${origin}/mcp`, headers: { 'X-API-Key': key } } } }, null, 2) },
  { name: 'VS Code', steps: 'In a shell:', text: (origin, key) => `code --add-mcp '${JSON.stringify({ name: 'canvass', type: 'http', url: `${origin}/mcp`, headers: { 'X-API-Key': key } })}'` },
  { name: 'curl', steps: 'A first call:', text: (origin, key) => `curl -H "X-API-Key: ${key}" ${origin}/me` },
  { name: 'Python', steps: 'With the requests package:', text: (origin, key) => `import requests\nprint(requests.get("${origin}/me", headers={"X-API-Key": "${key}"}).json())` },
];
