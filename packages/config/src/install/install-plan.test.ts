import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientEnvironment } from '../clients/client-environment.js';
import { clientFileOf, clientOf, mcpClients } from '../clients/client-table.js';
import { readEntry, type ServerEntry } from '../entries/server-entry.js';
import { memberAt } from '../formats/config-syntax.js';
import { parseConfig } from '../formats/config-text.js';
import { applyPlan, type InstallPlan, installedText, planInstall, planUninstall } from './install-plan.js';
import { sourceEntry } from './server-source.js';

const environment: ClientEnvironment = { platform: 'linux', home: '/home/ada', cwd: '/project', env: {} };
const places = { environment, folder: '/project' };

/** Returns a reference as users write it. */
const reference = (name: string) => `$\{${name}}`;

async function command(env: Record<string, string> = {}): Promise<ServerEntry> {
  const source = await sourceEntry({ command: ['npx', '-y', 'notes'], env }, environment);
  if (source === undefined) throw new Error('unreachable');
  return source.entry;
}

async function remote(headers: Record<string, string> = {}, transport?: 'sse'): Promise<ServerEntry> {
  const word = 'https://notes.example/mcp';
  const source = await sourceEntry({ word, headers, ...(transport && { transport }) }, environment);
  if (source === undefined) throw new Error('unreachable');
  return source.entry;
}

/** Plans to install in an empty file, and returns the entry that the file has then. */
async function installed(id: string, entry: ServerEntry, platform = 'linux'): Promise<unknown> {
  const client = clientOf(id);
  const scope = id === 'mcp.json' ? 'project' : 'user';
  const plan = await planInstall({ client, scope, name: 'notes', entry }, undefined, {
    ...environment,
    platform,
  });
  const file = clientFileOf(client, scope, environment);
  return memberAt(await parseConfig(file.format, plan.after), [...file.keys, 'notes']);
}

const withToken = { TOKEN: reference('TOKEN') };
const stdio = { command: 'npx', args: ['-y', 'notes'] };

describe('entries of clients', () => {
  it.each([
    ['claude-desktop', stdio],
    ['claude-code', { type: 'stdio', ...stdio }],
    ['vscode', { type: 'stdio', ...stdio }],
    ['cursor', stdio],
    ['codex', stdio],
    ['gemini', stdio],
    ['goose', { enabled: true, type: 'stdio', name: 'notes', cmd: 'npx', args: stdio.args, timeout: 300 }],
    ['inspector', { type: 'stdio', ...stdio }],
    ['mcp.json', { type: 'stdio', ...stdio }],
  ])('of %s start a command', async (id, expected) => {
    expect(await installed(id, await command())).toEqual(expected);
  });

  it.each([
    ['claude-code', { type: 'http', url: 'https://notes.example/mcp' }],
    ['vscode', { type: 'http', url: 'https://notes.example/mcp' }],
    ['cursor', { url: 'https://notes.example/mcp' }],
    ['codex', { url: 'https://notes.example/mcp' }],
    ['gemini', { httpUrl: 'https://notes.example/mcp' }],
    ['inspector', { type: 'streamable-http', url: 'https://notes.example/mcp' }],
    [
      'goose',
      {
        enabled: true,
        type: 'streamable_http',
        name: 'notes',
        uri: 'https://notes.example/mcp',
        timeout: 300,
      },
    ],
  ])('of %s have a URL', async (id, expected) => {
    expect(await installed(id, await remote())).toEqual(expected);
  });

  it.each([
    ['claude-code', { env: { TOKEN: reference('TOKEN') } }],
    ['vscode', { env: { TOKEN: reference('env:TOKEN') } }],
    ['cursor', { env: { TOKEN: reference('env:TOKEN') } }],
    ['gemini', { env: { TOKEN: reference('TOKEN') } }],
    ['codex', { env_vars: ['TOKEN'] }],
    ['goose', { env_keys: ['TOKEN'] }],
  ])('of %s refer to variables', async (id, expected) => {
    expect(await installed(id, await command(withToken))).toMatchObject(expected);
  });

  it('of Codex refer to variables in headers', async () => {
    const headers = {
      authorization: `Bearer ${reference('TOKEN')}`,
      'x-key': reference('KEY'),
      'x-team': 'blue',
    };
    expect(await installed('codex', await remote(headers))).toEqual({
      url: 'https://notes.example/mcp',
      bearer_token_env_var: 'TOKEN',
      env_http_headers: { 'x-key': 'KEY' },
      http_headers: { 'x-team': 'blue' },
    });
  });

  it.each([
    ['claude-desktop', withToken, 'does not fill in'],
    ['inspector', withToken, 'does not fill in'],
    ['codex', { KEY: reference('TOKEN') }, 'does not fill in'],
    ['cursor', { KEY: reference('input:key') }, 'does not support'],
    ['cursor', { KEY: reference('KEY:-x') }, 'does not support default values'],
    ['gemini', { KEY: 'pa$word' }, 'would replace $word by a variable'],
  ])('of %s reject the variable %o', async (id, env, text) => {
    await expect(installed(id, await command(env))).rejects.toThrow(text);
  });

  it.each(['codex', 'goose'])('of %s reject HTTP+SSE', async (id) => {
    await expect(installed(id, await remote({}, 'sse'))).rejects.toThrow('does not support HTTP+SSE');
  });

  it('of Claude Desktop reject a URL, and say what to do', async () => {
    await expect(installed('claude-desktop', await remote())).rejects.toMatchObject({
      hint: expect.stringContaining('mcp-remote'),
    });
  });

  it('of Claude Code start scripts of npm through cmd on Windows', async () => {
    const expected = { type: 'stdio', command: 'cmd', args: ['/c', 'npx', '-y', 'notes'] };
    expect(await installed('claude-code', await command(), 'win32')).toEqual(expected);
  });

  it.each(mcpClients.map(({ id }) => id))('of %s are read as what was installed', async (id) => {
    const isDesktop = id === 'claude-desktop';
    const style = clientFileOf(clientOf(id), id === 'mcp.json' ? 'project' : 'user', environment).style;
    for (const entry of [await command({ A: '1' }), ...(isDesktop ? [] : [await remote({ 'x-a': '1' })])]) {
      const read = readEntry(await installed(id, entry), style, places);
      const transport = id === 'gemini' || id === 'goose' || id === 'inspector' ? 'http' : 'auto';
      expect(read).toEqual(entry.kind === 'url' ? { ...entry, transport } : entry);
    }
  });
});

describe('plans', () => {
  const cursor = clientOf('cursor');
  const request = async () =>
    ({ client: cursor, scope: 'user', name: 'notes', entry: await command() }) as const;
  const others =
    '{\n  "mcpServers": {\n    "a": { "command": "x", "env": { "KEY": "secret-of-a" } }\n  }\n}\n';

  it('add and remove a server without a trace, for each client', async () => {
    const files: Record<string, string> = {
      json: '{\n  // mine\n  "theme": "dark"\n}\n',
      toml: 'model = "o3" # mine\n\n[tui]\nx = 1\n',
      yaml: 'GOOSE_MODEL: gpt # mine\n',
    };
    for (const client of mcpClients) {
      const scope = client.id === 'mcp.json' ? 'project' : 'user';
      const before = files[clientFileOf(client, scope, environment).format] ?? '';
      const entry = await command({ A: '1' });
      const plan = await planInstall({ client, scope, name: 'notes', entry }, before, environment);
      expect(plan.after).not.toBe(before);
      const back = await planUninstall({ client, scope, name: 'notes' }, plan.after, environment);
      expect(back.after, client.id).toBe(before);
    }
  });

  it('do not replace another server without `replace`', async () => {
    const before = '{"mcpServers":{"notes":{"command":"other"}}}';
    await expect(planInstall(await request(), before, environment)).rejects.toMatchObject({
      message: 'Cursor already has another server named "notes" in /home/ada/.cursor/mcp.json.',
      hint: expect.stringContaining('--force'),
    });
    const plan = await planInstall({ ...(await request()), replace: true }, before, environment);
    expect(JSON.parse(plan.after)).toEqual({ mcpServers: { notes: stdio } });
    expect(plan).toMatchObject({ replaces: true, isNew: false });
  });

  it('change nothing when the server is there', async () => {
    const { after } = await planInstall(await request(), others, environment);
    const again = await planInstall(await request(), after, environment);
    expect(again).toMatchObject({ before: after, after, replaces: false, change: { lines: [] } });
  });

  it('show the change without values of this server and of others', async () => {
    const entry = await command({ KEY: 'my-value', API_TOKEN: reference('API_TOKEN') });
    const plan = await planInstall({ ...(await request()), entry }, others, environment);
    expect(plan.after).toContain('my-value');
    expect(shown(plan)).not.toMatch(/my-value|secret-of-a/);
    expect(shown(plan)).toContain('"KEY": "***"');
    expect(shown(plan)).toContain(`"API_TOKEN": "${reference('env:API_TOKEN')}"`);
    expect(plan.change.line).toBe(4);
    const replace = { ...(await request()), name: 'a', replace: true };
    expect(shown(await planInstall(replace, others, environment))).not.toContain('secret-of-a');
    const removal = await planUninstall({ client: cursor, scope: 'user', name: 'a' }, others, environment);
    expect(shown(removal)).not.toContain('secret-of-a');
    expect(removal.change.lines.length).toBeGreaterThan(0);
  });

  it('show only the entry where a line has other servers too', async () => {
    const before = '{"mcpServers":{"a":{"command":"x","env":{"KEY":"secret-of-a"}}}}';
    const plan = await planInstall(await request(), before, environment);
    expect(shown(plan)).toContain('"notes": {');
    const removal = await planUninstall(
      { client: cursor, scope: 'user', name: 'notes' },
      plan.after,
      environment,
    );
    expect(shown(removal)).toContain('"notes": {');
    expect(shown(plan) + shown(removal)).not.toContain('secret-of-a');
  });

  it('name the secrets that would be stored as plain text', async () => {
    const entry = await command({ API_TOKEN: 'abc', LOG: 'debug', OTHER_TOKEN: reference('OTHER_TOKEN') });
    expect(await planInstall({ ...(await request()), entry }, undefined, environment)).toMatchObject({
      plainSecrets: ['API_TOKEN'],
      hasPlainValues: true,
    });
  });

  it.each(['', 'a b', 'a.b', '../x', 'x'.repeat(65), '__proto__ ', 'é'])(
    'reject the name %j',
    async (name) => {
      await expect(planInstall({ ...(await request()), name }, undefined, environment)).rejects.toThrow(
        'cannot be the name of a server',
      );
    },
  );

  it('add a server named __proto__ as a member like others', async () => {
    const plan = await planInstall({ ...(await request()), name: '__proto__' }, undefined, environment);
    expect(plan.after).toContain('"__proto__": {');
  });

  it.each([
    ['a broken file', '{\n  "mcpServers": {\n', '/home/ada/.cursor/mcp.json:3: '],
    ['a list', '[]', 'it is not a JSON object'],
    ['servers that are not an object', '{"mcpServers": []}', '"mcpServers" is not an object'],
  ])('do not change %s', async (_, before, text) => {
    await expect(planInstall(await request(), before, environment)).rejects.toMatchObject({
      message: expect.stringContaining(text),
    });
  });

  it('reject a server that is not there', async () => {
    const gone = { client: cursor, scope: 'user', name: 'gone' } as const;
    await expect(planUninstall(gone, others, environment)).rejects.toThrow(
      'Cursor has no server named "gone"',
    );
    await expect(planUninstall(gone, undefined, environment)).rejects.toThrow(
      'Cursor has no server named "gone"',
    );
  });

  function shown({ change }: InstallPlan): string {
    return change.lines.map(({ text }) => text).join('\n');
  }
});

describe('applyPlan', () => {
  let home: string;
  let place: ClientEnvironment;
  const notes = async () =>
    ({ client: clientOf('cursor'), scope: 'user', name: 'notes', entry: await command() }) as const;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'tenon-plan-'));
    place = { platform: process.platform, home, cwd: join(home, 'work'), env: {} };
  });

  afterEach(() => rm(home, { recursive: true }));

  it('writes nothing when the file has changed since the plan', async () => {
    const plan = await planInstall(await notes(), undefined, place);
    await mkdir(dirname(plan.file));
    await writeFile(plan.file, '{}');
    await expect(applyPlan(plan)).rejects.toThrow('has changed in the meantime; nothing was written');
    expect(await readFile(plan.file, 'utf8')).toBe('{}');
    const later = await planInstall(await notes(), await installedText(await notes(), place), place);
    await rm(plan.file);
    await expect(applyPlan(later)).rejects.toThrow('has changed in the meantime');
  });

  it('writes the file once, however many programs apply the same plan', async () => {
    const plan = await planInstall(await notes(), undefined, place);
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => applyPlan(plan)));
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await readFile(plan.file, 'utf8')).toBe(plan.after);
    expect(await readdir(dirname(plan.file))).toEqual(['mcp.json']);
  });
});

describe('links and commands of clients', () => {
  const planFor = async (id: string, entry: ServerEntry) =>
    planInstall({ client: clientOf(id), scope: 'user', name: 'notes', entry }, undefined, environment);

  it('open Cursor with the entry in base64', async () => {
    const { link = '' } = await planFor('cursor', await command());
    const url = new URL(link);
    expect(url.href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=notes&config=/);
    const config = Buffer.from(url.searchParams.get('config') ?? '', 'base64').toString();
    expect(JSON.parse(config)).toEqual(stdio);
  });

  it('open VS Code with the entry as JSON', async () => {
    const { link = '' } = await planFor('vscode', await remote());
    expect(link).toMatch(/^vscode:mcp\/install\?%7B/);
    const json = decodeURIComponent(link.slice('vscode:mcp/install?'.length));
    expect(JSON.parse(json)).toEqual({ name: 'notes', type: 'http', url: 'https://notes.example/mcp' });
  });

  it('open Goose with the command or the URL', async () => {
    expect((await planFor('goose', await command())).link).toBe(
      'goose://extension?cmd=npx&arg=-y&arg=notes&timeout=300&id=notes&name=notes&description=notes',
    );
    expect((await planFor('goose', await remote())).link).toContain('url=https%3A%2F%2Fnotes.example%2Fmcp');
    expect((await planFor('goose', await command({ A: '1' }))).link).toBeUndefined();
  });

  it.each([
    [
      'claude-code',
      'claude mcp add-json --scope user notes {"type":"stdio","command":"npx","args":["-y","notes"]}',
    ],
    ['vscode', 'code --add-mcp {"name":"notes","type":"stdio","command":"npx","args":["-y","notes"]}'],
    ['codex', 'codex mcp add notes -- npx -y notes'],
    ['gemini', 'gemini mcp add --scope user notes npx -y notes'],
    ['cursor', undefined],
  ])('run the command of %s', async (id, words) => {
    expect((await planFor(id, await command())).command?.join(' ')).toBe(words);
  });

  it.each([
    ['codex', 'codex mcp add notes --url https://notes.example/mcp --bearer-token-env-var TOKEN'],
    [
      'gemini',
      `gemini mcp add --scope user --transport http --header authorization: Bearer ${reference('TOKEN')} notes https://notes.example/mcp`,
    ],
  ])('run the command of %s for a URL', async (id, words) => {
    const entry = await remote({ authorization: `Bearer ${reference('TOKEN')}` });
    expect((await planFor(id, entry)).command?.join(' ')).toBe(words);
  });
});
