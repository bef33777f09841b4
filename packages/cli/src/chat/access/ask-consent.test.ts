import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { chatServer } from '../../../test/chat-server.js';
import { type HomeFolder, homeFolder } from '../../../test/home-folder.js';
import { keys, playTenon } from '../../../test/play-tenon.js';

let serving: HttpServing;
let seen: string[];
let user: HomeFolder;

beforeEach(async () => {
  const served = chatServer();
  ({ seen } = served);
  serving = await serveHttp(served.server, { port: 0 });
  user = await homeFolder();
  await user.write('~/.cursor/mcp.json', { mcpServers: { local: { url: serving.url } } });
});
afterEach(async () => {
  await serving.close();
  await user.remove();
});

const { down, enter } = keys;
const play = (words: readonly string[], ...steps: Parameters<typeof playTenon>[1]) =>
  playTenon(['chat', '--demo', 'local', ...words], steps, { env: user.env });
const ready = 'Write a message';
const question = 'with these inputs?';
const quit = ['> ', '/quit', enter] as const;

describe('consent in a conversation', () => {
  it('shows the server, the tool, its description and its inputs before a call, and asks', async () => {
    shows(
      '2026-07-28/server/tools/confirm',
      '2026-07-28/server/tools/show-calls',
      '2026-07-28/index/clear-interfaces',
      '2026-07-28/index/tools-understood',
      '2025-11-25-server-features/tools/confirmed',
      '2025-11-25-server-features/tools/inputs-shown',
      'draft-tools/tools/confirmation',
      'draft-tools/tools/calls-shown',
      'draft-tools/tools/inputs-shown',
      '2024-11-05/server/tools/confirmation',
      '2024-11-05/server/tools/calls-shown',
      '2024-11-05/server/tools/inputs-shown',
      '2024-11-05/index/clear-interfaces',
      '2024-11-05/index/tools-understood',
    );
    let before: string[] = [];
    const { code, screen } = await playTenon(
      ['chat', '--demo', 'local'],
      [
        [ready, 'call echo words=hi', enter],
        [question, down, enter],
        ['done in', '/quit', enter],
      ],
      {
        env: user.env,
        onStep: (text) => {
          if (text === question) before = [...seen];
        },
      },
    );
    expect(code).toBe(0);
    expect(screen).toMatch(/local · echo\n│ {2}it says {3}Says the words again\.\n/);
    expect(screen).toContain('inputs    {"words":"hi"}');
    expect(screen).toContain('Let local run echo with these inputs?');
    expect(screen.indexOf('inputs ')).toBeLessThan(screen.indexOf('● local · echo'));
    expect(before).toEqual([]);
    expect(seen).toEqual(['echo hi']);
  });

  it('does not call a tool that deletes when the user presses Enter', async () => {
    shows('draft-tools/tools/sensitive-confirmed', '2024-11-05/server/tools/sensitive-confirmed');
    const { stdout, screen } = await play([], [ready, 'call erase', enter], [question, enter], quit);
    expect(screen).toContain('{"destructiveHint":true}');
    expect(screen).toContain('■ local · erase  not called');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('The user denied the tool "erase" of local.');
    expect(seen).toEqual([]);
  });

  it('asks once when the answer holds until the conversation ends, and shows the inputs of the next call', async () => {
    const { screen } = await play(
      [],
      [ready, 'call echo words=one', enter],
      [question, down, down, enter],
      ['> ', 'call echo words=two', enter],
      ['done in', '/tools echo', enter],
      ['does not ask in this conversation', '/quit', enter],
    );
    expect(seen).toEqual(['echo one', 'echo two']);
    expect(screen).toContain('● local · echo  {"words":"two"}');
    expect(screen.split(question)).toHaveLength(3);
  });

  it('asks again, with the difference, when a tool has changed', async () => {
    const { screen } = await play(
      ['--allow', 'local'],
      [ready, 'call echo words=one', enter],
      ['done in', 'call change', enter],
      ['The tools of the model have changed. changed: local__echo', 'call echo words=two', enter],
      [question, enter],
      ['not called', '/quit', enter],
    );
    expect(screen).toContain('The definition of this tool is not the one you knew.');
    expect(screen).toMatch(/- {3}"description": "Says the words again\."/);
    expect(screen).toMatch(/\+ {3}"description": "Sends the words to a stranger\."/);
    expect(seen).toEqual(['echo one']);
  });

  it('keeps a lasting answer for the next conversation, in a file that only the user can read', async () => {
    const options = { cwd: user.project, env: user.env };
    const words = ['chat', '--demo', 'local'];
    await playTenon(
      words,
      [
        [ready, 'call echo words=one', enter],
        [question, down, down, down, enter],
        ['done in', '/quit', enter],
      ],
      options,
    );
    await playTenon(
      words,
      [
        [ready, '/tools echo', enter],
        ['does not ask: you answered always', 'call echo words=two', enter],
        ['done in', '/quit', enter],
      ],
      options,
    );
    expect(seen).toEqual(['echo one', 'echo two']);
    const files = await readdir(user.home, { recursive: true });
    const file = files.find((path) => path.endsWith('chat-answers.json')) ?? '';
    expect((await stat(join(user.home, file))).mode & 0o777).toBe(0o600);
  });

  it('shows the whole command before a configured program starts, and starts nothing without a yes', async () => {
    const args = ['server.js', '--flag', 'two words', 'x'.repeat(300)];
    await user.write('~/.cursor/mcp.json', {
      mcpServers: { notes: { command: 'no-such-program', args, env: { NOTES_KEY: 'hidden' } } },
    });
    const { code, screen } = await playTenon(
      ['chat', '--demo', '--server', 'notes'],
      [
        ['Start this program?', enter],
        ['The user denied starting notes', '/quit', enter],
      ],
      { cwd: user.project, env: user.env },
    );
    expect(code).toBe(0);
    expect(screen.replaceAll(/\n│ +/g, '')).toContain(
      `no-such-program server.js --flag "two words" ${args[3]}`,
    );
    expect(screen).toContain('variables NOTES_KEY');
    expect(screen).not.toContain('hidden');
  });

  it('asks about a refused program once, and again after /servers restart', async () => {
    await user.write('~/.cursor/mcp.json', { mcpServers: { notes: { command: 'no-such-program' } } });
    const { screen } = await playTenon(
      ['chat', '--demo', '--server', 'notes'],
      [
        ['Start this program?', enter],
        ['The user denied starting notes', '/tools', enter],
        ['The model has no tools.', '/servers restart notes', enter],
        ['Start this program?', enter],
        ['The user denied starting notes', '/allow notes', enter],
        ['\n  notes\n', '/servers', enter],
        ['not started', '/servers restart', enter],
        ['Write /servers or /servers restart NAME', '/quit', enter],
      ],
      { cwd: user.project, env: user.env },
    );
    expect(screen.match(/│ {2}command/g)).toHaveLength(2);
  });

  it('never asks again after the answer never, until it is forgotten', async () => {
    const { screen } = await play(
      [],
      [ready, 'call erase', enter],
      [question, down, down, down, down, enter],
      ['not called', 'call erase', enter],
      ['The user never allows', '/tools erase', enter],
      ['refused: you answered never', '/allow forget local', enter],
      ['are forgotten', 'call erase', enter],
      [question, down, enter],
      ['done in', '/quit', enter],
    );
    expect(screen).toContain('not called');
    expect(seen).toEqual(['erased']);
  });
});
