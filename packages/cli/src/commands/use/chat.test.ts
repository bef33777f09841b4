import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatServer } from '../../../test/chat-server.js';
import { type HomeFolder, homeFolder } from '../../../test/home-folder.js';

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

describe('tenon chat without a terminal', () => {
  it('reads a message of each line, and writes the answers to stdout', async () => {
    const { code, stdout, stderr } = await user.run(['chat', '--demo', 'local', '--allow', 'local.echo'], {
      input: 'call echo words=one\ncall erase\n',
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /local__echo returned: echo one\n.*local__erase failed: The user could not be asked/s,
    );
    expect(stderr).toContain('● local · echo  {"words":"one"}');
    expect(stderr).not.toContain('Write a message');
    expect(stderr).toContain(
      'There is no terminal to ask you, so it is refused. To allow it: --allow local.erase',
    );
    expect(seen).toEqual(['echo one']);
  });

  it('warns about an entry of a named file that cannot be used, and goes on with the others', async () => {
    await user.write('mcp.json', { mcpServers: { local: { url: serving.url }, broken: { comand: 'node' } } });
    const words = ['chat', '--demo', '--config', 'mcp.json', '--allow', 'local.echo'];
    const { code, stdout, stderr } = await user.run(words, { input: 'call echo words=one\n' });
    expect(code).toBe(0);
    expect(stderr).toContain('the server "broken" cannot be used: it has neither a command nor a URL');
    expect(stdout).toContain('local__echo returned: echo one');
  });

  it('refuses what a server asks for', async () => {
    const { stderr } = await user.run(['chat', '--demo', 'local', '--allow', 'local'], {
      input: 'call form\ncall page\ncall sample\n',
    });
    expect(stderr).toContain('● local · form\n');
    expect(stderr).toContain(
      'local (form) requests input ("Where to? See https://evil.example/form"): refused',
    );
    expect(stderr).toContain('local (page) requests a visit to pay.example: refused');
    expect(stderr).toContain('asks for an answer of your model scripted: refused');
    expect(seen).toEqual(['decline', 'decline']);
  });

  it('shows that a call is cancelled when the program is interrupted', async () => {
    const interruption = new AbortController();
    const { code, stderr } = await user.run(['chat', '--demo', 'local', '--allow', 'local'], {
      input: 'call hang\ncall echo words=never\n',
      signal: interruption.signal,
      onStderr: (text) => {
        if (text.includes('1/4')) interruption.abort();
      },
    });
    expect(code).toBe(130);
    expect(stderr).toMatch(/hang {2}cancelling \.\.\.\n.*hang {2}cancelled\n/s);
    expect(seen).not.toContain('echo never');
  });

  it('records each request in the file of --audit', async () => {
    const words = ['chat', '--demo', 'local', '--allow', 'local.echo', '--audit', 'chat.jsonl'];
    await user.run(words, { input: 'call echo words=one\n' });
    const records = (await user.read('chat.jsonl')).trim().split('\n');
    expect(records.filter((line) => line.includes('"name":"echo"'))).toHaveLength(2);
    expect((await user.run(['audit', 'verify', 'chat.jsonl'])).code).toBe(0);
  });

  it('holds the demo without a key and a network', async () => {
    const { code, stdout, stderr } = await user.run(['chat', '--demo', '--allow', 'workshop.forecast'], {
      input: 'forecast for Oslo\n',
    });
    expect(code).toBe(0);
    expect(stdout).toContain('Tomorrow in Oslo: light rain');
    expect(stderr).toMatch(/● library +ready {2}2 tools\n {2}● workshop {2}ready {2}7 tools/);
  });

  it('names a server without a name as `tenon install` does', async () => {
    const { port } = new URL(serving.url);
    const { stderr } = await user.run(['chat', '--demo', serving.url, '--allow', `localhost-${port}`], {
      input: 'call echo words=one\n',
    });
    expect(stderr).toContain(`● localhost-${port} · echo`);
  });

  it('sends no control characters of a server to the terminal', async () => {
    const { stdout, stderr } = await user.run(['chat', '--demo', 'local', '--allow', 'local'], {
      input: 'call echo {"words":"\\u001b[31mred\\u202e\\u200b"}\n',
    });
    expect(seen).toEqual(['echo \u001b[31mred\u202e\u200b']);
    for (const character of ['\u001b', '\u202e']) expect(stdout + stderr).not.toContain(character);
    expect(stderr).toContain('\\u{200b}');
  });
});

describe('tenon chat, wrong use', () => {
  it.each([
    ['no model', ['https://example.com/mcp'], 'No model is named.'],
    [
      'no key',
      ['https://example.com/mcp', '--model', 'claude-x'],
      'There is no key for the model "claude-x".',
    ],
    [
      'another address',
      ['https://x.example/mcp', '--model', 'm', '--base-url', 'ftp://x'],
      '"ftp://x" is not a URL of a model.',
    ],
    [
      'a rule that is not one',
      ['https://x.example/mcp', '--demo', '--allow', 'a b'],
      'A rule is SERVER or SERVER.TOOL',
    ],
    [
      'headers for several servers',
      ['https://x.example/mcp', 'https://y.example/mcp', '--demo', '--header', 'Authorization: Bearer x'],
      '--header and --env are for one server, and 2 are named.',
    ],
  ])('rejects %s', async (_, words, text) => {
    const { code, stderr } = await user.run(['chat', ...words]);
    expect(code).toBe(1);
    expect(stderr).toContain(text);
  });

  it('starts no configured server that the user did not name', async () => {
    await user.write('~/.cursor/mcp.json', { mcpServers: { shop: { url: serving.url } } });
    const unnamed = await user.run(['chat', '--model', 'm', '--base-url', 'http://127.0.0.1:1/v1']);
    expect(unnamed.code).toBe(1);
    expect(unnamed.stderr).toContain('No server is named.');
    const named = await user.run(['chat', '--demo', '--server', 'shop'], { input: '/servers\n' });
    expect(named.stderr).toContain('● shop  ready  10 tools');
  });
});
