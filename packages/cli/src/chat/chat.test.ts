import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { chatServer } from '../../test/chat-server.js';
import { type HomeFolder, homeFolder } from '../../test/home-folder.js';
import { keys, playTenon } from '../../test/play-tenon.js';

let serving: HttpServing;
let seen: string[];
let user: HomeFolder;
let folder: string;

beforeEach(async () => {
  const served = chatServer();
  ({ seen } = served);
  serving = await serveHttp(served.server, { port: 0 });
  user = await homeFolder();
  await user.write('~/.cursor/mcp.json', { mcpServers: { local: { url: serving.url } } });
  folder = await mkdtemp(join(tmpdir(), 'tenon-chat-'));
});
afterEach(async () => {
  await serving.close();
  await user.remove();
  await rm(folder, { recursive: true });
});

const { down, end, enter, interrupt } = keys;
const play = (words: readonly string[], ...steps: Parameters<typeof playTenon>[1]) =>
  playTenon(['chat', '--demo', 'local', ...words], steps, { cwd: folder, env: user.env });
const ready = 'Write a message';

describe('a conversation at the terminal', () => {
  it('shows the servers with their states, and the tools of the model with what asks', async () => {
    shows(
      '2026-07-28/server/tools/show-tools',
      'draft-tools/tools/exposed-shown',
      '2024-11-05/server/tools/exposed-shown',
    );
    const { code, screen } = await play(
      ['--allow', 'local.e*'],
      [ready, '/tools', enter],
      ['Changes the tool echo.', '/servers', enter],
      ['● local  ready  10 tools', end],
    );
    expect(code).toBe(0);
    expect(screen).toContain(`● local  ready  10 tools  ${serving.url}`);
    expect(screen).toContain('echo  does not ask: the rule local.e*\n    Says the words again.');
    expect(screen).toContain('hang  asks\n    Never ends.');
  });

  it('uses a server of a project as the user has approved it, when its file changes meanwhile', async () => {
    const file = join(folder, '.mcp.json');
    const headers = { 'x-user': '$' + '{USER_OF_SHOP}' };
    const shop = { type: 'http', url: serving.url, headers };
    await writeFile(file, JSON.stringify({ mcpServers: { shop } }));
    const { screen } = await playTenon(
      ['chat', '--demo', 'shop'],
      [
        ['Send these values?', 'y'],
        [ready, '/servers', enter],
        ['10 tools', '/quit', enter],
      ],
      {
        cwd: folder,
        env: { ...user.env, USER_OF_SHOP: 'ada' },
        onStep: (text) => {
          if (text === 'Send these values?') rmSync(file);
        },
      },
    );
    expect(screen).toContain('● shop  ready  10 tools');
  });

  it('shows that a call is cancelled, and then that it was', async () => {
    shows(
      '2026-07-28/basic/patterns/cancellation/show-cancelling',
      '2024-11-05/basic/utilities/cancellation/shown',
    );
    const { code, screen } = await play(
      ['--allow', 'local'],
      [ready, 'call hang', enter],
      ['1/4', interrupt],
      ['The turn was cancelled.', 'call echo words=on', enter],
      ['done in', '/quit', enter],
    );
    expect(code).toBe(0);
    expect(screen).toMatch(
      /● local · hang.*◌ local · hang {2}cancelling \.\.\..*■ local · hang {2}cancelled\n/s,
    );
    expect(seen).toEqual(['hang', 'hang was cancelled', 'echo on']);
  });

  it('ends with the second Ctrl+C', async () => {
    const during = await play(
      ['--allow', 'local'],
      [ready, 'call hang', enter],
      ['1/4', interrupt, interrupt],
    );
    expect(during.code).toBe(130);
    const between = await play([], [ready, interrupt], ['Press Ctrl+C again to end.', interrupt]);
    expect(between.code).toBe(130);
  });

  it('cancels a call while the user is asked about it', async () => {
    const { screen } = await play(
      [],
      [ready, 'call echo words=x', enter],
      ['with these inputs?', interrupt],
      ['The turn was cancelled.', '/quit', enter],
    );
    expect(screen).toContain('■ local · echo  not called');
    expect(seen).toEqual([]);
  });

  it('shows what a server asks for as roots, and lets the user manage them', async () => {
    shows('2026-07-28/client/roots/interfaces', '2024-11-05/client/roots/interfaces');
    const uri = pathToFileURL(folder).href;
    const { screen } = await play(
      ['--allow', 'local.*'],
      [ready, 'call roots', enter],
      ['done in', '/roots add .', enter],
      [folder, 'call roots', enter],
      ['Show this list to local?', down, enter],
      ['done in', '/roots remove .', enter],
      ['No folders.', 'call roots', enter],
      ['done in', '/roots add nowhere', enter],
      ['is not a folder', '/quit', enter],
    );
    expect(screen).toContain(`folders   ${uri}`.slice(0, 60));
    expect(seen).toEqual(['roots ', `roots ${uri}`, 'roots ']);
  });

  it('names an image, and writes it to a file', async () => {
    const { stdout } = await play(
      ['--allow', 'local'],
      [ready, 'call picture', enter],
      ['/save 1 writes it', '/save 1 dot.png', enter],
      ['Wrote 70 B to dot.png', '/save 2', enter],
      ['There is no file 2', '/quit', enter],
    );
    expect(stdout).toContain('[image] image/png, 70 B');
    expect((await readFile(join(folder, 'dot.png'))).subarray(1, 4).toString()).toBe('PNG');
  });

  it('lists the skills of servers, and gives the model one once the user agrees to its files', async () => {
    const { screen } = await play(
      [],
      [ready, '/skills', enter],
      ['How to brew tea', '/skills local:brewing', enter],
      ['Give the model this skill?', down, enter],
      ['The model reads local:brewing', '/skills none', enter],
      ['No server lists a skill', '/clear', enter],
      ['has forgotten', '/quit', enter],
    );
    expect(screen).toContain('skill     skill://brewing/SKILL.md');
    expect(screen).toMatch(/files +\{\n.*SKILL\.md": "sha256:/);
  });

  it('lists requests, rules and commands', async () => {
    const { screen } = await play(
      [],
      [ready, '/allow local.echo', enter],
      ['  local.echo', 'call echo words=x', enter],
      ['done in', '/audit', enter],
      ['done in', '/allow remove local.echo', enter],
      ['No rules', '/hepl', enter],
      ['Did you mean "/help"?', '/help', enter],
      ['/sign-in', '/clear', enter],
      ['has forgotten', '/quit', enter],
    );
    expect(screen).toMatch(/tool local · echo {2}done in \d+ ms \(policy\)/);
    expect(seen).toEqual(['echo x']);
  });
});
