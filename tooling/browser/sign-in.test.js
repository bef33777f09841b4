// examples/src/authorization/sign-in.ts with a real browser: the program opens it, and a user decides on the page.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { complaintsOf, openPage, startChromium } from './chromium.js';

const examples = fileURLToPath(new URL('../../examples/dist/authorization/', import.meta.url));
const server = spawn(process.execPath, [`${examples}sign-in-server.js`], {
  env: { ...process.env, PORT: '0' },
});
// Simulates the desktop: receives the arguments of `xdg-open`.
const desktop = createServer();
/** @type {import('playwright-core').Browser | undefined} */
let chromium;
let folder = '';
let url = '';
let runs = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-browser-'));
  await new Promise((resolve) => desktop.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = desktop.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const open = `fetch('http://127.0.0.1:${port}', { method: 'POST', body: JSON.stringify(process.argv.slice(2)) })`;
  await writeFile(join(folder, 'xdg-open'), `#!${process.execPath}\n${open}`);
  await chmod(join(folder, 'xdg-open'), 0o755);
  [url] = await once(createInterface(server.stdout), 'line');
  chromium = await startChromium();
}, 60_000);

afterAll(async () => {
  server.kill();
  desktop.close();
  await chromium?.close();
  await rm(folder, { recursive: true, force: true });
}, 30_000);

/** Starts the program on a desktop of its own, and returns the page that it opens in the browser. */
async function start() {
  const { CI: _, SSH_CONNECTION: __, SSH_TTY: ___, ...rest } = process.env;
  const state = join(folder, `state-${++runs}`);
  const env = { ...rest, XDG_STATE_HOME: state, DISPLAY: ':0', PATH: `${folder}${delimiter}${rest.PATH}` };
  const opened = once(desktop, 'request');
  const child = spawn(process.execPath, [`${examples}sign-in.js`, url], { env });
  const [printed, errors] = [text(child.stdout), text(child.stderr)];
  const ended = once(child, 'exit').then(async ([status]) => ({
    status,
    printed: (await printed).trim(),
    errors: await errors,
  }));
  const [request, response] = await opened;
  const args = JSON.parse(await text(request));
  response.end();
  expect(args).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/authorize\?/)]);
  const page = await openPage(chromium);
  return { page, complaints: complaintsOf(page), address: args[0], ended };
}

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string>} the visible text
 */
function textOf(page) {
  return page.evaluate('document.body.innerText');
}

describe('signing in with a browser', () => {
  it('signs in when the user allows it', async () => {
    const { page, complaints, address, ended } = await start();
    await page.goto(address);
    const asked = await textOf(page);
    expect(asked).toContain('Notes agent');
    expect(asked).toContain('127.0.0.1:');
    await page.click('#allow');
    await page.waitForURL('**/callback?*');
    expect(await textOf(page)).toBe(
      'You are signed in\n\nYou can close this tab and go back to Notes agent.',
    );
    expect(await page.evaluate('document.title')).toBe('You are signed in');
    expect(new URL(page.url()).pathname).toBe('/callback');
    expect(await page.evaluate('document.scripts.length')).toBe(0);
    expect(complaints).toEqual([]);
    const { status, printed, errors } = await ended;
    expect({ status, printed }).toEqual({ status: 0, printed: 'Nothing yet' });
    expect(errors).toContain('continue in the browser');
  }, 60_000);

  it('reports the refusal when the user denies it', async () => {
    const { page, complaints, address, ended } = await start();
    await page.goto(address);
    await page.click('#deny');
    await page.waitForURL('**/callback?*');
    expect(await textOf(page)).toBe(
      'Access was refused\n\nNotes agent has no access. You can close this tab. If you change your mind, sign in again from Notes agent.',
    );
    expect(complaints).toEqual([]);
    expect(await ended).toMatchObject({ status: 0, printed: 'You denied access: nothing was read.' });
  }, 60_000);

  it('signs in although another page opens the redirect URI with a guessed state', async () => {
    const { page, address, ended } = await start();
    const back = new URL(address).searchParams.get('redirect_uri');
    const evil = await openPage(chromium);
    await evil.goto(`${back}?code=evil&state=guessed`);
    expect(await textOf(evil)).toContain('This sign-in is over');
    await evil.goto(`${back}?error=access_denied`);
    expect(await textOf(evil)).toContain('This sign-in is over');
    await page.goto(address);
    await page.click('#allow');
    await page.waitForURL('**/callback?*');
    expect(await textOf(page)).toContain('You are signed in');
    expect(await ended).toMatchObject({ status: 0, printed: 'Nothing yet' });
  }, 60_000);
});
