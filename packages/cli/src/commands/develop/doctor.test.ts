import { jwtVerifier, ResourceGuard } from '@tenon/mcp-auth/server';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { startTestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { describe, expect, it, onTestFinished } from 'vitest';
import { homeFolder } from '../../../test/home-folder.js';
import { runTenon } from '../../../test/run-tenon.js';

async function startServer(): Promise<string> {
  const server = createServer({ name: 'notes', version: '1.0.0' }).tool('add', {}, () => 'added');
  const serving = await serveHttp(server);
  onTestFinished(() => serving.close());
  return serving.url;
}

/** Replaces the parts of an output that differ between runs. */
function steady(text: string): string {
  return text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT').replaceAll(/port \d+/g, 'port PORT');
}

describe('tenon doctor', () => {
  it('prints each step of a good server', async () => {
    const { code, stdout, stderr } = await runTenon(['doctor', await startServer()]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "ok    URL                  http://127.0.0.1:PORT/mcp
      ok    DNS                  127.0.0.1 is an address (this machine)
      ok    TCP                  port PORT accepts connections
      ok    HTTP                 HTTP 200 with a JSON-RPC result
      ok    Clock                as on this machine, within 2 minutes
      ok    DNS rebinding        rejects another Host (403) and Origin (403)
      ok    Challenge            none: the first request needs no token
      ok    Resource metadata    none, and the server requires no sign-in
      ok    Revision             2026-07-28, notes 1.0.0, over Streamable HTTP
      ok    Lists                1 tool, 0 resources, 0 templates, 0 prompts
      ok    Ping                 2026-07-28 has no ping
      ok    Session              none: each request stands alone

      12 passed
      "
    `);
  });

  it('prints the fix, and exits with the code of the first failure', async () => {
    const url = await startServer();
    const { code, stdout, stderr } = await runTenon(['doctor', url.replace('/mcp', '/api')]);
    expect(code).toBe(4);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "ok    URL                  http://127.0.0.1:PORT/api
      ok    DNS                  127.0.0.1 is an address (this machine)
      ok    TCP                  port PORT accepts connections
      FAIL  HTTP                 HTTP 404: text/plain that is not JSON-RPC: Not found
                                 fix: An MCP server answers at http://127.0.0.1:PORT/mcp.
      skip  Revision             needs HTTP
      skip  Lists                needs Revision
      skip  Ping                 needs Revision
      skip  Session              needs Revision

      1 failed, 3 passed, 4 skipped
      "
    `);
    expect(stderr).toBe('error: HTTP: HTTP 404: text/plain that is not JSON-RPC: Not found.\n');
  });

  it('prints one object with --json', async () => {
    const { code, stdout } = await runTenon(['doctor', await startServer(), '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, steps: expect.any(Array) });
  });

  it('prints the steps and one line with the error with --json', async () => {
    const words = ['doctor', '--json', '--', 'no-such-program-anywhere'];
    const { code, stdout, stderr } = await runTenon(words);
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, reason: 'unreachable' });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { exitCode: 4, hint: expect.stringContaining('Install it') },
    });
  });

  it('exits with 1 when the URL is none', async () => {
    expect(await runTenon(['doctor', 'ftp://example.com'])).toMatchObject({ code: 1 });
  });

  it('exits with 130 when the user interrupts it', async () => {
    const ending = new AbortController();
    ending.abort();
    expect(await runTenon(['doctor', await startServer()], { signal: ending.signal })).toMatchObject({
      code: 130,
    });
  });

  it('signs in with --sign-in, and then uses the stored tokens without', async () => {
    const authorization = await startTestAuthorizationServer({ user: 'ada' });
    const { issuer } = authorization;
    const server = createServer({ name: 'notes', version: '1.0.0' }).tool('add', {}, () => 'added');
    const serving = await serveHttp(server, {
      guard: (resource) =>
        new ResourceGuard({ resource, authorizationServers: [issuer], verify: jwtVerifier() }),
    });
    const user = await homeFolder();
    onTestFinished(async () => {
      await Promise.all([serving.close(), authorization.close(), user.remove()]);
    });
    const opened: string[] = [];
    const openUrl = async (url: string) => {
      opened.push(url);
      await fetch(url);
    };
    const denied = await user.run(['doctor', serving.url], { tty: true, openUrl });
    expect(denied).toMatchObject({ code: 3, stdout: expect.stringContaining('tenon login') });
    expect(opened).toEqual([]);
    expect(await user.run(['doctor', serving.url, '--sign-in'], { openUrl })).toMatchObject({ code: 0 });
    expect(opened).toHaveLength(1);
    expect(await user.run(['doctor', serving.url])).toMatchObject({ code: 0 });
    const words = ['bench', serving.url, 'add', '--requests', '3', '--warmup', '0'];
    expect(await user.run(words)).toMatchObject({ code: 0 });
    expect(opened).toHaveLength(1);
  });
});
