import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scriptedBrowser } from './scripted-browser.js';

const server = createServer((request, response) => {
  if (request.url === '/authorize') response.writeHead(302, { location: `${back}?code=1&state=s` });
  response.end('a page');
});
const [back = ''] = scriptedBrowser.redirectUris;

beforeEach(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => server.close());

async function visit(path: string): Promise<URL> {
  const { port } = server.address() as AddressInfo;
  const signIn = await scriptedBrowser.begin({ resource: '', issuer: '', scopes: [] });
  return signIn.authorize({ url: new URL(path, `http://127.0.0.1:${port}`), state: 's' });
}

it('stops where it is sent back to the program', async () => {
  expect((await visit('/authorize')).href).toBe(`${back}?code=1&state=s`);
});

it('says when it is not sent back', async () => {
  await expect(visit('/elsewhere')).rejects.toMatchObject({
    reason: 'interaction-failed',
    message: 'The page to sign in at answered with 200, and sent nobody back.',
  });
});
