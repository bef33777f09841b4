import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { jwtVerifier, ResourceGuard, type Verify } from '@tenon/mcp-auth/server';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { startTestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HomeFolder, homeFolder } from '../../test/home-folder.js';

let user: HomeFolder;
let authorization: Awaited<ReturnType<typeof startTestAuthorizationServer>>;
let serving: Awaited<ReturnType<typeof serveHttp>>;
let opened: string[];
let isRevoked: boolean;

/** A browser that follows all redirects. */
const openUrl = async (url: string) => {
  opened.push(url);
  await fetch(url);
};

beforeEach(async () => {
  opened = [];
  isRevoked = false;
  user = await homeFolder();
  authorization = await startTestAuthorizationServer({ user: 'ada' });
  const { issuer } = authorization;
  const verifyToken = jwtVerifier();
  const verify: Verify = (...of) => (isRevoked ? undefined : verifyToken(...of));
  serving = await serveHttp(
    createServer({ name: 'notes', version: '1.0.0' }).tool('who', {}, (_, ctx) => `${ctx.auth?.id}`),
    {
      guard: (resource) =>
        new ResourceGuard({
          resource,
          authorizationServers: [issuer],
          verify,
          scopes: { supported: ['notes:read'] },
        }),
    },
  );
});

afterEach(async () => {
  await Promise.all([serving.close(), authorization.close()]);
  await user.remove();
});

/** Returns the text of all files of the user. */
async function filesOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

describe('sign-in', () => {
  it('exits with 3 and names "tenon login" where no person can sign in, without a registration', async () => {
    const { code, stderr } = await user.run(['list', serving.url]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^error: http:\/\/127\.0\.0\.1:\d+\/mcp requires sign-in\.\n/);
    expect(stderr).toContain(`hint: Sign in with "tenon login ${serving.url}"`);
    expect(authorization.count('register')).toBe(0);
  });

  it('exits with 3 on a terminal with --stored-auth-only', async () => {
    const { code } = await user.run(['list', serving.url, '--stored-auth-only'], { tty: true, openUrl });
    expect({ code, opened }).toEqual({ code: 3, opened: [] });
  });

  it('opens the browser on a terminal, and stores the tokens for all commands', async () => {
    const first = await user.run(['list', serving.url, '--json'], { tty: true, openUrl });
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('"who"') });
    expect(first.stderr).toContain(authorization.issuer);
    expect(opened).toHaveLength(1);
    expect((await user.run(['list', serving.url])).code).toBe(0);
    expect(opened).toHaveLength(1);
  });

  it('is not used when a token is passed as a header', async () => {
    const header = ['--header', 'Authorization: Bearer wrong'];
    const { code, stderr } = await user.run(['list', serving.url, ...header], { tty: true, openUrl });
    expect({ code, opened }).toEqual({ code: 3, opened: [] });
    expect(stderr).toContain('did not accept the authorization header');
    const token = await authorization.issueToken({
      subject: 'bob',
      audience: serving.url,
      scopes: ['notes:read'],
    });
    expect((await user.run(['list', serving.url, '-H', `Authorization: Bearer ${token}`])).code).toBe(0);
  });

  it('exits with 3 when the stored tokens are revoked, and does not open the browser', async () => {
    await user.run(['login', serving.url], { openUrl });
    authorization.revokeAll();
    isRevoked = true;
    const { code, stderr } = await user.run(['list', serving.url]);
    expect(code).toBe(3);
    expect(stderr).toContain('tenon login');
    expect(opened).toHaveLength(1);
  });
});

describe('commands that connect in their own way', () => {
  const quick = ['--requests', '2', '--warmup', '0'];

  it('exit with 3 and name "tenon login" without tokens, and use the stored tokens with them', async () => {
    const open = await serveHttp(
      createServer({ name: 'notes', version: '1.0.0' }).tool('who', {}, () => 'bob'),
    );
    const recorded = await user.run(['list', open.url, '--record', 'session.md']);
    await open.close();
    expect(recorded.code).toBe(0);
    const lines = [
      ['replay', 'session.md', '--to', serving.url, '--ignore', 'serverInfo'],
      ['diff', serving.url, serving.url],
      ['bench', serving.url, 'who', ...quick],
      ['compat', serving.url, '--fail-on', 'never'],
    ];
    for (const words of lines) {
      const { code, stderr } = await user.run(words);
      expect({ words, code }).toEqual({ words, code: 3 });
      expect(stderr).toContain('tenon login');
    }
    await user.run(['login', serving.url], { openUrl });
    for (const words of lines) {
      const { code, stderr } = await user.run(words);
      expect({ words, code, stderr }).toMatchObject({
        words,
        code: words[0] === 'replay' ? expect.any(Number) : 0,
      });
      expect(stderr).not.toContain('sign-in');
    }
  });
});

describe('tenon login and logout', () => {
  it('sign in and out, and never print a token', async () => {
    const login = await user.run(['login', serving.url], { openUrl });
    expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining(`Signed in to ${serving.url}`) });
    expect((await user.run(['list', serving.url])).code).toBe(0);

    const list = await user.run(['login', '--list']);
    expect(list.stdout).toContain(serving.url);
    expect(list.stdout).toContain(`issuer   ${authorization.issuer}`);
    expect(list.stdout).toMatch(/expires {2}\d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    const json = JSON.parse((await user.run(['login', '--list', '--json'])).stdout);
    expect(json).toMatchObject({ servers: [{ server: serving.url, issuer: authorization.issuer }] });

    const stored = await filesOf(user.home);
    const tokens = [...stored.matchAll(/"(?:access|refresh)Token":"([^"]+)"/g)].map(([, token]) => token);
    expect(tokens.length).toBeGreaterThan(0);
    const printed =
      [login, list].map(({ stdout, stderr }) => stdout + stderr).join('') + JSON.stringify(json);
    for (const token of tokens) expect(printed).not.toContain(token);

    expect(await user.run(['logout', serving.url])).toMatchObject({
      code: 0,
      stdout: `Signed out of ${serving.url}\n`,
    });
    expect(await filesOf(user.home)).not.toContain('accessToken');
    expect((await user.run(['list', serving.url])).code).toBe(3);
    const again = await user.run(['logout', serving.url]);
    expect(again).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `You are not signed in to ${serving.url}.\n`,
    });
  });

  it('accept a name, and sign out of all servers', async () => {
    await user.write('~/.cursor/mcp.json', { mcpServers: { notes: { url: serving.url } } });
    expect((await user.run(['login', 'notes', '--json'], { openUrl })).code).toBe(0);
    expect((await user.run(['list', 'notes'])).code).toBe(0);
    const { stdout } = await user.run(['logout', '--all', '--json']);
    expect(JSON.parse(stdout)).toEqual({ signedOut: [serving.url] });
    expect((await user.run(['login', '--list'])).stderr).toBe('You are not signed in to any server.\n');
  });

  it('use a client that was registered by hand, and its redirect URI', async () => {
    const probe = createNetServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const redirectUri = `http://localhost:${port}/callback`;
    authorization.behave({ registration: 'off' });
    authorization.addClient({ clientId: 'by-hand', redirectUris: [redirectUri] });
    const words = ['--client-id', 'by-hand', '--host', 'localhost', '--port', String(port), '--consent'];
    const { code, stderr } = await user.run(['login', serving.url, ...words], { openUrl });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { searchParams } = new URL(opened[0] ?? '');
    expect(searchParams.get('client_id')).toBe('by-hand');
    expect(searchParams.get('redirect_uri')).toBe(redirectUri);
    expect((await user.run(['list', serving.url])).code).toBe(0);
    // Without the option, the server has no client for the program.
    await user.run(['logout', serving.url]);
    const without = await user.run(['login', serving.url], { openUrl });
    expect(without).toMatchObject({ code: 3, stderr: expect.stringContaining('--client-id') });
  });

  it.each([
    ['--port', '70000', 'A port is a number'],
    ['--host', 'example.com', 'Allowed choices are 127.0.0.1, localhost, ::1'],
  ])('reject %s %s', async (...[name, value, text]) => {
    expect(await user.run(['login', serving.url, name, value])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(text),
    });
  });

  it('exits with 3 when the user denies access', async () => {
    const deny = async (url: string) => {
      const denied = new URL(url);
      const back = new URL(denied.searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({
        error: 'access_denied',
        state: denied.searchParams.get('state') ?? '',
        iss: authorization.issuer,
      }).toString();
      await fetch(back);
    };
    const { code, stdout } = await user.run(['login', serving.url], { openUrl: deny });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  });

  it('shows a code with --device, and stores the tokens for all commands when the user has entered it', async () => {
    authorization.behave({ pollInterval: 1_000 });
    const onStderr = (text: string) => {
      const [url] = /http\S+user_code=\S+/.exec(text) ?? [];
      if (url !== undefined && text.includes('Waiting')) void fetch(url);
    };
    const login = await user.run(['login', serving.url, '--device'], { openUrl, onStderr });
    expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining(`Signed in to ${serving.url}`) });
    expect(login.stderr.split('\n')).toEqual([
      expect.stringMatching(
        /^To sign in for http:\S+\/mcp, open this URL on any device, and enter the code [A-Z]{4}-[A-Z]{4}:$/,
      ),
      `${authorization.issuer}/verify`,
      'Or open this URL, and check that the page shows the same code:',
      expect.stringMatching(/\/verify\?user_code=[A-Z]{4}-[A-Z]{4}$/),
      'The code is valid for 10 minutes.',
      'Waiting until you have signed in. Ctrl+C stops waiting.',
      '',
    ]);
    expect(opened).toEqual([]);
    expect((await user.run(['list', serving.url])).code).toBe(0);
    expect((await user.run(['login', serving.url, '--device'])).stderr).toBe('');
    expect(await user.run(['logout', serving.url])).toMatchObject({ code: 0 });
    expect((await user.run(['list', serving.url])).code).toBe(3);
  });

  it('says with --device what to do when the server has no codes, the code expires, and after Ctrl+C', async () => {
    const words = ['login', serving.url, '--device'];
    expect(await user.run([...words, '--timeout', '0.05'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`hint: Run "tenon login ${serving.url} --device" again`),
    });
    const stop = new AbortController();
    const stopped = await user.run(words, {
      signal: stop.signal,
      onStderr: (text) => text.includes('Ctrl+C') && stop.abort(),
    });
    expect(stopped).toMatchObject({ code: 130, stdout: '' });
    authorization.behave({ grantTypes: ['authorization_code'] });
    const without = await user.run(words);
    expect(without).toMatchObject({ code: 3, stdout: '' });
    expect(without.stderr).toContain('has no device_authorization_endpoint');
    expect(without.stderr).toContain(`tenon login ${serving.url} --no-browser --port 8123`);
    expect(authorization.tokenRequests()).toBe(0);
  });

  it.each([['--host', 'localhost'], ['--port', '3334'], ['--consent']])(
    'rejects --device with %s',
    async (...more) => {
      expect(await user.run(['login', serving.url, '--device', ...more])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("'--device' cannot be used with option"),
      });
    },
  );

  it('prints the URL with --no-browser, and ends when the time is over', async () => {
    const { code, stderr } = await user.run(['login', serving.url, '--no-browser', '--timeout', '0.05']);
    expect(code).toBe(3);
    expect(stderr).toContain(`${authorization.issuer}`);
  });

  it.each([
    ['a command', ['login', '--', 'node'], 'has no sign-in'],
    ['no server', ['login'], 'No server is named.'],
    ['a server and --all', ['logout', 'https://a.example', '--all'], 'not both'],
  ])('reject %s', async (_, words, text) => {
    expect(await user.run(words)).toMatchObject({ code: 1, stderr: expect.stringContaining(text) });
  });

  it('say that a server without sign-in needs none', async () => {
    const open = await serveHttp(createServer({ name: 'open', version: '1.0.0' }));
    const { code, stderr } = await user.run(['login', open.url], { openUrl });
    await open.close();
    expect(code).toBe(3);
    expect(stderr).toContain(`tenon list ${open.url}`);
  });

  it('exit with 4 when nothing listens, without the hint of servers that need no sign-in', async () => {
    const { code, stderr } = await user.run(['login', 'http://127.0.0.1:1/']);
    expect(code).toBe(4);
    expect(stderr).not.toContain('tenon list');
  });

  it.runIf(process.platform === 'linux')('store tokens in a file that only the user can read', async () => {
    await user.run(['login', serving.url], { openUrl });
    const { mode } = await stat(join(user.home, '.local', 'state', 'tenon', 'cli-auth.json'));
    expect(mode & 0o777).toBe(0o600);
  });
});
