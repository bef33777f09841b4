import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestAuthorizationServer, type TestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OauthBrowser, type Send } from '../../test/oauth-browser.js';

const ends: (() => Promise<unknown>)[] = [];

let authorization: TestAuthorizationServer;
/** By which the authorization server reaches the documents of clients. */
let documents: Send;

beforeEach(async () => {
  documents = fetch;
  authorization = await startTestAuthorizationServer({
    user: 'ada',
    fetch: (url, init) => documents(url, init),
  });
  ends.push(() => authorization.close());
  vi.stubEnv('ISSUER', authorization.issuer);
  vi.stubEnv('PORT', '0');
  vi.resetModules();
  const { serving } = await import('./protect-server.js');
  ends.push(() => serving.close());
  vi.stubEnv('SERVER', serving.url);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const end of ends.splice(0).reverse()) await end();
});

it('signs in programs without a user', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sign-in-service-'));
  ends.push(() => rm(folder, { recursive: true }));
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kty: 'EC' }] };
  const platform = await startTestAuthorizationServer();
  ends.push(() => platform.close());
  const idp = await startTestAuthorizationServer({
    clients: [{ clientId: 'agent-at-idp', clientSecret: 'hush' }],
    idJagClient: () => 'agent',
  });
  ends.push(() => idp.close());
  authorization.addClient({ clientId: 'nightly-report', clientSecret: 'hush' });
  authorization.addClient({ clientId: 'weekly-report', jwks });
  authorization.addClient({ clientId: 'agent', clientSecret: 'hush' });
  authorization.behave({
    trustedIssuers: [
      { issuer: platform.issuer, jwks: () => platform.jwks, kind: 'workload' },
      { issuer: idp.issuer, jwks: () => idp.jwks },
    ],
  });
  const workload = { subject: 'report-runner', audience: authorization.issuer };
  const employee = {
    kind: 'id',
    subject: 'ada',
    clientId: 'agent-at-idp',
    audience: 'agent-at-idp',
  } as const;
  vi.stubEnv('CLIENT_SECRET', 'hush');
  vi.stubEnv('KEY_FILE', await file('key.pem', String(privateKey.export({ type: 'pkcs8', format: 'pem' }))));
  vi.stubEnv('TOKEN_FILE', await file('token', await platform.issueToken(workload)));
  vi.stubEnv('IDP', idp.issuer);
  vi.stubEnv('ID_TOKEN', await idp.issueToken(employee));
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import('./sign-in-service.js');
  expect(log.mock.calls.flat()).toEqual([
    'Saved for weekly-report',
    'Saved for nightly-report',
    'Saved for report-runner',
    'Saved for ada',
  ]);
});

it('signs users of a web application in with their own browsers, each for himself', async () => {
  const origin = 'https://app.example.com';
  vi.stubEnv('ORIGIN', origin);
  const { app } = await import('./sign-in-web.js');
  ends.push(() => new Promise((resolve) => app.close(resolve)));
  if (!app.listening) await once(app, 'listening');
  const at = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  const send: Send = (url, init) => fetch(url.startsWith(origin) ? at + url.slice(origin.length) : url, init);
  documents = send;

  const ada = new OauthBrowser(send);
  const { url, response } = await ada.open(origin);
  expect([url.href, await response?.text()]).toEqual([`${origin}/`, 'Nothing yet']);
  expect(authorization.count('authorize')).toBe(1);
  expect(await (await ada.open(origin)).response?.text()).toBe('Nothing yet');
  expect([authorization.count('authorize'), authorization.count('register')]).toEqual([1, 0]);

  // A link to the callback of another user's sign-in is rejected.
  authorization.behave({ user: 'mallory' });
  const { url: trap } = await new OauthBrowser(send).open(origin, `${origin}/callback`);
  const { response: refused } = await ada.open(trap.href);
  expect(refused?.status).toBe(403);

  authorization.behave({ user: 'deny' });
  expect((await new OauthBrowser(send).open(origin)).response?.status).toBe(403);
  const document = await (await ada.request(`${origin}/client.json`)).json();
  expect(document).toMatchObject({
    client_id: `${origin}/client.json`,
    redirect_uris: [`${origin}/callback`],
  });
});
