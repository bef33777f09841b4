import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@tenon/foundation';
import { type AuthStore, MemoryAuthStore, oauth, tokenExchange } from '@tenon/mcp-auth/client';
import { desktopInteraction, FileAuthStore } from '@tenon/mcp-auth/desktop';
import { oauthError, scriptedBrowser } from '@tenon/mcp-testing/oauth';
import { expect, it, onTestFinished } from 'vitest';
import { authorizationServer, protectedServer, who } from '../../test/protected-servers.js';
import type { Vault } from '../servers/credentials.js';
import { createVault, type SignInRequest, type VaultEvent } from './vault.js';

const users = ['ada', 'bob'];

/** A time of day that a test can change. */
function changingClock() {
  let ahead = 0;
  return {
    ...systemClock,
    now: () => Date.now() + ahead,
    advance(ms: number) {
      ahead += ms;
    },
  };
}

it('never lets credentials of users, servers and issuers cross, concurrently and after refreshes', async () => {
  const issuers = [await authorizationServer(), await authorizationServer()];
  const names = issuers.map(({ issuer }) => issuer);
  const urls = new Map<string, string>();
  for (const name of ['notes', 'mail']) urls.set(name, await protectedServer(name, names));
  const clock = changingClock();
  const events: VaultEvent[] = [];
  const signIn =
    (issuer: string) =>
    ({ user, options }: SignInRequest) =>
      oauth({
        ...{
          ...options,
          clock,
          chooseAuthorizationServer: (offers) => offers.find((one) => one.issuer === issuer),
          client: { name: 'Host' },
        },
        interaction: scriptedBrowser({ user }),
      });
  const all = [...urls].flatMap(([name, url]) =>
    names.flatMap((issuer) =>
      users.map((user) => ({
        user,
        server: `${name} by ${issuer}`,
        url,
        expected: `${user} of ${issuer} at ${name}`,
      })),
    ),
  );
  expect(all).toHaveLength(8);
  const vault = createVault({
    servers: Object.fromEntries(
      [...urls.keys()].flatMap((name) =>
        names.map((issuer) => [`${name} by ${issuer}`, { auth: signIn(issuer) }]),
      ),
    ),
    store: new MemoryAuthStore(),
    onEvent: (event) => events.push(event),
  });
  for (let round = 0; round < 3; round++) {
    const found = await Promise.all(all.map((one) => who(vault, one)));
    expect(found).toEqual(all.map(({ expected }) => expected));
    // All tokens expire.
    clock.advance(7_200_000);
  }
  const counted = (type: string) => events.filter(({ event }) => event.type === type).length;
  expect([counted('signed-in'), counted('refreshed'), counted('failed')]).toEqual([8, 16, 0]);
  for (const { user, server, event } of events) {
    if (event.type === 'signed-in') expect(server).toContain(event.issuer);
    expect(users).toContain(user);
  }
});

it('refreshes a token once for two processes that share a store', async () => {
  const authorization = await authorizationServer();
  const url = await protectedServer('notes', [authorization.issuer]);
  const folder = await mkdtemp(join(tmpdir(), 'tenon-vault-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const clock = changingClock();
  const process = (): Vault =>
    createVault({
      store: new FileAuthStore({ path: join(folder, 'tokens.json') }),
      others: {
        auth: ({ user, options }) =>
          oauth({ ...options, clock, client: { name: 'Host' }, interaction: scriptedBrowser({ user }) }),
      },
    });
  const vaults = [process(), process()];
  const request = { user: 'ada', server: 'notes', url };
  for (const vault of vaults) await who(vault, request);
  expect(authorization.tokenRequests('authorization_code')).toBe(1);
  clock.advance(7_200_000);
  const expected = `ada of ${authorization.issuer} at notes`;
  expect(await Promise.all(vaults.map((vault) => who(vault, request)))).toEqual([expected, expected]);
  expect(authorization.tokenRequests('refresh_token')).toBe(1);
});

it('signs each user in with a code on their own device', async () => {
  const authorization = await authorizationServer();
  const url = await protectedServer('notes', [authorization.issuer]);
  const vault = createVault({
    others: {
      auth: ({ user, options }) =>
        oauth({
          ...options,
          client: { name: 'Host' },
          // The users are faster than the interval.
          clock: {
            now: Date.now,
            schedule: (task, ms) => systemClock.schedule(task, ms === 5_000 ? 0 : ms),
          },
          interaction: desktopInteraction({
            device: true,
            onUrl: ({ url: page }) => fetch(`${page}&login_hint=${user}`) as unknown as undefined,
          }),
        }),
    },
  });
  const called = users.map((user) => who(vault, { user, server: 'notes', url }));
  expect(await Promise.all(called)).toEqual(
    users.map((user) => `${user} of ${authorization.issuer} at notes`),
  );
  expect([authorization.count('device'), authorization.count('authorize')]).toEqual([2, 0]);
});

it('rejects the call with an AuthError and reports an event when a refresh fails', async () => {
  const authorization = await authorizationServer();
  const url = await protectedServer('notes', [authorization.issuer]);
  const clock = changingClock();
  const events: VaultEvent[] = [];
  const vault = createVault({
    others: {
      auth: ({ user, options }) =>
        oauth({ ...options, clock, client: { name: 'Host' }, interaction: scriptedBrowser({ user }) }),
    },
    onEvent: (event) => events.push(event),
  });
  const request = { user: 'ada', server: 'notes', url };
  await who(vault, request);
  clock.advance(7_200_000);
  authorization.behave({ onToken: () => ({ status: 503, body: 'down' }) });
  await expect(who(vault, request)).rejects.toMatchObject({ name: 'AuthError', reason: 'unreachable' });
  expect(events.at(-1)).toMatchObject({
    ...{ user: 'ada', server: 'notes' },
    event: { type: 'failed', error: { name: 'AuthError', reason: 'unreachable' } },
  });
});

it('signs a user in again after the refresh token was revoked, and says so', async () => {
  const authorization = await authorizationServer();
  const url = await protectedServer('notes', [authorization.issuer]);
  const clock = changingClock();
  const events: string[] = [];
  let isAway = false;
  const vault = createVault({
    store: new MemoryAuthStore(),
    others: {
      auth: ({ user, options }) => {
        const browser = scriptedBrowser({
          user,
          back: (address) => (isAway ? Promise.reject(new Error('away')) : address),
        });
        return oauth({ ...options, clock, client: { name: 'Host' }, interaction: browser });
      },
    },
    onEvent: ({ event }) => events.push(event.type),
  });
  const request = { user: 'ada', server: 'notes', url };
  await who(vault, request);
  authorization.revokeAll();
  clock.advance(7_200_000);
  isAway = true;
  await expect(who(vault, request)).rejects.toMatchObject({
    name: 'AuthError',
    reason: 'interaction-failed',
  });
  expect(events.filter((type) => type === 'failed').length).toBeGreaterThan(0);
});

it('exchanges the token of each user for one of the server', async () => {
  const authorization = await authorizationServer();
  const url = await protectedServer('notes', [authorization.issuer]);
  const { issuer } = authorization;
  authorization.addClient({ clientId: 'host', clientSecret: 'secret' });
  authorization.behave({
    onToken: async ({ params }) => {
      const [, user] = /^inbound-of-(\w+)$/.exec(params.subject_token ?? '') ?? [];
      if (user === undefined) return oauthError('invalid_request', 'Whose token is this?');
      const token = await authorization.issueToken({ subject: user, audience: params.resource ?? '' });
      return {
        status: 200,
        headers: {},
        body: { access_token: token, token_type: 'Bearer', expires_in: 600 },
      };
    },
  });
  const store: AuthStore = new MemoryAuthStore();
  const vault = createVault({
    store,
    servers: {
      notes: {
        auth: ({ user, options }) =>
          tokenExchange({
            ...{ ...options, issuer, clientId: 'host', clientSecret: 'secret' },
            subjectToken: () => `inbound-of-${user}`,
          }),
      },
    },
  });
  const found = await Promise.all(users.map((user) => who(vault, { user, server: 'notes', url })));
  expect(found).toEqual(users.map((user) => `${user} of ${issuer} at notes`));
});
