import type { McpClient } from '../clients/client-table.js';
import type { EntryValue } from './write-entry.js';

/** The place of a server: a client, the file of the user or of the project, and the name there. */
export interface InstallPlace {
  readonly client: McpClient;
  readonly scope: 'user' | 'project';
  readonly name: string;
}

/**
 * Returns the link that installs a server, for clients that have such links.
 * https://cursor.com/docs/mcp/install-links
 * https://code.visualstudio.com/api/extension-guides/ai/mcp#create-an-mcp-installation-url
 * https://block.github.io/goose/docs/getting-started/using-extensions#deeplinks
 */
export function installLink({ id }: McpClient, name: string, value: EntryValue): string | undefined {
  if (id === 'cursor') {
    const config = Buffer.from(JSON.stringify(value)).toString('base64');
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(config)}`;
  }
  if (id === 'vscode') return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...value }))}`;
  return id === 'goose' ? gooseLink(name, value) : undefined;
}

/** Goose starts few commands from links, and sets no variables. */
function gooseLink(
  name: string,
  { cmd, args, uri, envs, env_keys: keys, headers }: EntryValue,
): string | undefined {
  if (envs !== undefined || keys !== undefined || headers !== undefined) return undefined;
  const common = { timeout: '300', id: name, name, description: name };
  if (typeof uri === 'string')
    return `goose://extension?${new URLSearchParams({ url: uri, type: 'streamable_http', ...common })}`;
  if (typeof cmd !== 'string' || !['jbang', 'npx', 'uvx', 'goosed', 'docker'].includes(cmd)) return undefined;
  const words = (Array.isArray(args) ? args : []).map((arg): [string, string] => ['arg', String(arg)]);
  // Goose decodes percent signs, but no plus signs.
  return `goose://extension?${new URLSearchParams([['cmd', cmd], ...words, ...Object.entries(common)])}`.replaceAll(
    '+',
    '%20',
  );
}

/** Returns the command of a client that adds a server, for clients that have one. */
export function installCommand(
  { client, scope, name }: InstallPlace,
  value: EntryValue,
): readonly string[] | undefined {
  switch (client.id) {
    case 'claude-code':
      return ['claude', 'mcp', 'add-json', '--scope', scope, name, JSON.stringify(value)];
    case 'vscode':
      return scope === 'user' ? ['code', '--add-mcp', JSON.stringify({ name, ...value })] : undefined;
    case 'codex':
      return scope === 'user' ? codexCommand(name, value) : undefined;
    case 'gemini':
      return geminiCommand({ client, scope, name }, value);
    default:
      return undefined;
  }
}

function codexCommand(name: string, value: EntryValue): readonly string[] | undefined {
  const { url, command, args, env, bearer_token_env_var: token } = value;
  const extra = ['http_headers', 'env_http_headers', 'env_vars', 'cwd'].some(
    (key) => value[key] !== undefined,
  );
  if (extra) return undefined;
  const start = ['codex', 'mcp', 'add', name];
  if (typeof url === 'string')
    return [...start, '--url', url, ...(typeof token === 'string' ? ['--bearer-token-env-var', token] : [])];
  return [
    ...start,
    ...pairsOf(env).flatMap(([key, one]) => ['--env', `${key}=${one}`]),
    '--',
    ...wordsOf(command, args),
  ];
}

function geminiCommand({ scope, name }: InstallPlace, value: EntryValue): readonly string[] | undefined {
  const { httpUrl, url, command, args, env, headers, cwd } = value;
  if (cwd !== undefined) return undefined;
  const start = ['gemini', 'mcp', 'add', '--scope', scope];
  const address = httpUrl ?? url;
  if (typeof address === 'string') {
    const lines = pairsOf(headers).flatMap(([key, one]) => ['--header', `${key}: ${one}`]);
    return [...start, '--transport', httpUrl === undefined ? 'sse' : 'http', ...lines, name, address];
  }
  return [
    ...start,
    ...pairsOf(env).flatMap(([key, one]) => ['--env', `${key}=${one}`]),
    name,
    ...wordsOf(command, args),
  ];
}

function pairsOf(record: unknown): [string, string][] {
  return typeof record === 'object' && record !== null ? Object.entries(record) : [];
}

function wordsOf(command: unknown, args: unknown): string[] {
  return [String(command), ...(Array.isArray(args) ? args.map(String) : [])];
}
