import { createServer } from '@tenon/mcp-server';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runTenon } from '../../../test/run-tenon.js';

let serving: HttpServing | undefined;
afterEach(() => serving?.close());

async function compat(words: readonly string[], build = goodServer) {
  serving = await serveHttp(build(), { port: 0 });
  return runTenon(['compat', serving.url.toString(), ...words]);
}

function goodServer() {
  const server = createServer({ name: 'weather', version: '1.0.0' });
  const input = z.strictObject({ city: z.string().describe('Name of the city.') });
  const annotations = { readOnlyHint: true };
  server.tool('get_forecast', { description: 'Returns a forecast.', input, annotations }, () => 'Sunny');
  return server;
}

function badServer() {
  const server = goodServer();
  server.tool('get.wind', { description: 'Returns the wind.' }, () => 'Calm');
  server.tool('get.rain', { description: 'Returns the rain.', annotations: { readOnlyHint: true } }, () =>
    'word '.repeat(40_000),
  );
  return server;
}

describe('tenon compat', () => {
  it('prints the revisions and the clients of a good server', async () => {
    const { code, stdout, stderr } = await compat([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot('../../../test/output/compat.txt');
  });

  it('prints problems once, with the clients that have them, and exits with 6', async () => {
    const { code, stdout, stderr } = await compat(['--client', 'claude-desktop', '--sources'], badServer);
    expect(code).toBe(6);
    expect(stderr).toBe('error: The server does not fit Claude Desktop.\n');
    expect(stdout).toContain(
      '2 tools: Claude Desktop\n' +
        '  error    Because of characters in the name no tool of the server is shown. Use letters, digits,\n' +
        '           "_" and "-".\n' +
        '           get.wind, get.rain\n' +
        '           https://github.com/',
    );
  });

  it('measures results with --call', async () => {
    const { code, stdout } = await compat(['--client', 'claude-code', '--call', '--json'], badServer);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).clients).toMatchObject([
      { id: 'claude-code', areas: { results: 1 }, problems: [{ place: { name: 'get.rain' } }] },
    ]);
  });

  it('lists the known clients without a server', async () => {
    const { code, stdout } = await runTenon(['compat', '--clients']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^claude-code +Claude Code +stdio http sse +handshake +128 with prefix/m);
    const { stdout: json } = await runTenon(['compat', '--clients', '--json']);
    expect(JSON.parse(json)[0]).toMatchObject({ names: { source: expect.stringContaining('https://') } });
  });

  it.each([
    ['a client that is not known', ['--client', 'nonsense'], /The client "nonsense" is not known/],
    ['one revision', ['--revision', '2025-11-25'], /unknown option '--revision'/],
  ])('exits with 1 for %s', async (_, words, text) => {
    const { code, stderr } = await runTenon(['compat', 'http://127.0.0.1:1/mcp', ...words]);
    expect(code).toBe(1);
    expect(stderr).toMatch(text);
  });

  it('exits with 4 when the server cannot be reached', async () => {
    const { code } = await runTenon(['compat', 'http://127.0.0.1:1/mcp']);
    expect(code).toBe(4);
  });
});
