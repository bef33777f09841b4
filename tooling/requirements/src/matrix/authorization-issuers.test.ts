import { MemoryAuthStore } from '@tenon/mcp-auth/client';
import { scriptedBrowser } from '@tenon/mcp-testing/oauth';
import { expect } from 'vitest';
import { asked, pointingTo, setting, signIn, startIssuer } from './authorization/setting.js';
import { requirement } from './requirement.js';

const overHttp = { transports: ['http'] } as const;

requirement(
  [
    '2026-07-28/basic/authorization/authorization-server-discovery/separate-state',
    '2026-07-28/basic/authorization/authorization-server-discovery/no-shared-credentials',
    '2026-07-28/basic/authorization/client-registration/bound',
    '2026-07-28/basic/authorization/client-registration/not-reused',
    '2026-07-28/basic/authorization/client-registration/registered-again',
    '2026-07-28/basic/authorization/index/tokens-of-server',
  ],
  {
    ...overHttp,
    title: 'A server that moves to another authorization server is given nothing of the old one.',
  },
  async ({ revision }) => {
    const scene = await setting(revision);
    const moved = await startIssuer();
    const store = new MemoryAuthStore();
    await (await signIn(scene, { store })).close();
    const old = scene.place.calls.at(-1)?.headers.authorization;
    const [first] = scene.issuer.clients.keys();
    scene.script = {
      ...pointingTo([moved.issuer], scene.place),
      admits: (token) => `Bearer ${token}` !== old,
    };
    const user = scriptedBrowser();
    const client = await signIn(scene, { store, browser: user });
    expect((await client.callTool('measure')).content).toMatchObject([{ text: '40 mm' }]);
    expect(moved.count('register')).toBe(1);
    const id = user.opened[0]?.searchParams.get('client_id');
    expect(id).not.toBe(first);
    const said = JSON.stringify(moved.requests);
    for (const { json, params } of [...asked(scene.issuer, 'token'), ...asked(scene.issuer, 'register')])
      for (const secret of [params.code, params.refresh_token, json?.client_secret])
        if (typeof secret === 'string') expect(said).not.toContain(secret);
    expect(said).not.toContain(old?.slice('Bearer '.length));
    // Both are known from now on, each with its own registration.
    scene.script = { ...pointingTo([scene.issuer.issuer], scene.place), admits: () => true };
    await signIn(scene, { store });
    expect(scene.issuer.count('register')).toBe(1);
  },
);

requirement(
  ['2026-07-28/basic/authorization/client-registration/mismatch-told'],
  overHttp,
  async ({ revision }) => {
    const scene = await setting(revision);
    const user = scriptedBrowser();
    const registered = [{ issuer: 'https://old.example', clientId: 'by-hand', clientSecret: 'kept-secret' }];
    const failure = await signIn(scene, { browser: user, identity: { registered } }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ reason: 'not-registered' });
    expect(String(failure)).toContain('https://old.example');
    expect(String(failure)).toContain(scene.issuer.issuer);
    expect(user.opened).toEqual([]);
    expect(JSON.stringify(scene.issuer.requests)).not.toMatch(/by-hand|kept-secret/);
  },
);
