import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { browserCommand, noBrowserReason, openableAddress, runBrowser } from './browser.js';

const authorization = 'https://auth.example/authorize';

describe('openableAddress', () => {
  it.each([
    'https://auth.example/',
    'https://auth.example:8443/a/b~c/%20x,y?client_id=a&scope=x+y&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fc',
    'http://127.0.0.1:8080/authorize?state=-._~',
    'http://localhost/authorize',
    'http://[::1]:8080/authorize',
  ])('leaves a plain URL unchanged: %s', (text) => {
    expect(openableAddress(new URL(text))).toBe(text);
  });

  it('escapes characters in the query that a shell could interpret', () => {
    shows('2026-07-28/security-best-practices/no-shell');
    const url = new URL(`${authorization}?a=$(id)\`id\`;id|id'id"id<x>{x}^x\\x*x![x]&b=\u20AC`);
    const address = openableAddress(url);
    expect(address).toMatch(/^[\w.~:/?@%+,=&-]+$/);
    expect([...new URL(address).searchParams]).toEqual([...url.searchParams]);
  });

  it('drops the fragment', () => {
    expect(openableAddress(new URL(`${authorization}?a=1#$(id)`))).toBe(`${authorization}?a=1`);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    'mailto:a@b.c',
    'ssh://auth.example',
    'http://auth.example/',
    'http://127.0.0.1.auth.example/',
    'http://localhost.auth.example/',
    'https://user@auth.example/',
    'https://$(id).example/',
    'https://a;b.example/',
    "https://auth.example/'x'",
    'https://auth.example/$(id)',
    'https://auth.example/a;b',
    'https://auth.example/a|b',
  ])('rejects %s', (text) => {
    expect(() => openableAddress(new URL(text))).toThrow(
      expect.objectContaining({ name: 'AuthError', reason: 'forbidden-address' }),
    );
  });

  it('accepts an http URL that is in the option allow', () => {
    const url = new URL('http://auth.internal:8080/authorize');
    expect(openableAddress(url, ['http://auth.internal:8080'])).toBe(url.href);
    expect(() => openableAddress(url, ['http://auth.internal'])).toThrow('it is not https');
  });

  it('rejects a URL that is too long for browsers', () => {
    const address = `${authorization}?x=${'x'.repeat(8_192 - authorization.length - 3)}`;
    expect(openableAddress(new URL(address))).toBe(address);
    expect(() => openableAddress(new URL(`${address}x`))).toThrow(
      'The URL to sign in at has 8193 characters, more than the 8192 that browsers accept: request fewer scopes.',
    );
  });
});

describe('noBrowserReason', () => {
  it.each([
    ['linux', {}, 'no-display'],
    ['linux', { DISPLAY: '' }, 'no-display'],
    ['linux', { DISPLAY: ':0' }, undefined],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, undefined],
    ['linux', { DISPLAY: ':0', SSH_CONNECTION: '192.0.2.1 22 192.0.2.2 22' }, 'ssh'],
    ['linux', { DISPLAY: ':0', SSH_TTY: '/dev/pts/0' }, 'ssh'],
    ['linux', { DISPLAY: ':0', WSL_DISTRO_NAME: 'Debian' }, 'wsl'],
    ['linux', { DISPLAY: ':0', CI: 'true' }, 'ci'],
    ['linux', { DISPLAY: ':0', CI: 'false' }, undefined],
    ['darwin', {}, undefined],
    ['darwin', { SSH_CONNECTION: '192.0.2.1 22 192.0.2.2 22' }, 'ssh'],
    ['win32', {}, undefined],
    ['win32', { CI: '1' }, 'ci'],
  ])('on %s with %o is %s', (platform, env, reason) => {
    expect(noBrowserReason({ platform, env })).toBe(reason);
  });
});

describe('browserCommand', () => {
  it.each([
    ['linux', {}, { file: 'xdg-open', args: [authorization] }],
    ['freebsd', {}, { file: 'xdg-open', args: [authorization] }],
    ['darwin', {}, { file: '/usr/bin/open', args: [authorization] }],
    [
      'win32',
      { SystemRoot: 'D:\\Windows' },
      { file: 'D:\\Windows\\System32\\rundll32.exe', args: ['url.dll,FileProtocolHandler', authorization] },
    ],
    [
      'win32',
      {},
      { file: 'C:\\Windows\\System32\\rundll32.exe', args: ['url.dll,FileProtocolHandler', authorization] },
    ],
  ])('uses no shell on %s', (platform, env, command) => {
    shows(
      '2026-07-28/security-best-practices/no-shell',
      '2026-07-28/security-best-practices/platform-openers',
    );
    expect(browserCommand(authorization, { platform, env })).toEqual(command);
  });
});

describe('runBrowser', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-browser-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Creates a program called xdg-open, and returns an environment that finds it. */
  async function install(script: string): Promise<NodeJS.ProcessEnv> {
    const file = join(folder, 'xdg-open');
    await writeFile(file, `#!${process.execPath}\n${script}`);
    await chmod(file, 0o755);
    return { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  }

  it('passes the URL as one argument', async () => {
    shows('2026-07-28/security-best-practices/no-shell');
    const started = join(folder, 'arguments');
    const env = await install(
      `require('node:fs').writeFileSync(${JSON.stringify(started)}, JSON.stringify(process.argv.slice(2)))`,
    );
    const address = `${authorization}?a=1&b=%24%28touch%20x%29`;
    await runBrowser(browserCommand(address, { platform: 'linux', env }), { env });
    expect(JSON.parse(await readFile(started, 'utf8'))).toEqual([address]);
  });

  it('rejects if the program does not exist', async () => {
    const command = { file: join(folder, 'xdg-open'), args: [authorization] };
    await expect(runBrowser(command)).rejects.toThrow('ENOENT');
  });

  it('rejects if the program fails', async () => {
    const env = await install('process.exit(3)');
    await expect(runBrowser({ file: 'xdg-open', args: [] }, { env })).rejects.toThrow(
      'xdg-open ended with status 3.',
    );
  });

  it('resolves after a while if the program keeps running', async () => {
    const started = join(folder, 'arguments');
    const env = await install(
      `require('node:fs').writeFileSync(${JSON.stringify(started)}, String(process.pid)); setInterval(() => {}, 1_000)`,
    );
    const clock = new FakeClock();
    const running = runBrowser({ file: 'xdg-open', args: [] }, { env, clock });
    const pid = await vi.waitFor(
      async () => Number(await readFile(started, 'utf8')) || expect.fail('not yet'),
    );
    try {
      await clock.advance(3_000);
      await running;
    } finally {
      process.kill(pid, 'SIGKILL');
    }
  });
});
