import { createHash } from 'node:crypto';
import type { AuthorizationBehaviour } from '@tenon/mcp-testing/oauth';
import { scriptedBrowser } from '@tenon/mcp-testing/oauth';
import { expect } from 'vitest';
import { asked, setting, signIn } from './authorization/setting.js';
import { requirement } from './requirement.js';

type Metadata = NonNullable<AuthorizationBehaviour['metadata']>;

const overHttp = { transports: ['http'] } as const;

requirement(
  [
    '2025-03-26/authorization/oauth-secure',
    '2026-07-28/basic/authorization/security-considerations/pkce',
    '2026-07-28/basic/authorization/security-considerations/pkce-s256',
    '2026-07-28/basic/authorization/security-considerations/pkce-metadata',
    '2026-07-28/basic/authorization/security-considerations/state',
    '2026-07-28/basic/authorization/security-considerations/oauth-best-practices',
  ],
  {
    ...overHttp,
    title: 'A code is asked for with a challenge and a state of its own, and exchanged with the verifier.',
  },
  async ({ revision }) => {
    const scene = await setting(revision);
    const user = scriptedBrowser();
    for (const _ of ['one', 'another']) {
      const client = await signIn(scene, { browser: user });
      expect((await client.callTool('measure')).content).toMatchObject([{ text: '40 mm' }]);
    }
    const exchanges = asked(scene.issuer, 'token');
    expect(exchanges).toHaveLength(2);
    for (const [at, { params, url }] of exchanges.entries()) {
      const sent = user.opened[at]?.searchParams;
      expect(sent?.get('response_type')).toBe('code');
      expect(sent?.get('code_challenge_method')).toBe('S256');
      const { code_verifier: verifier = '' } = params;
      expect(verifier).toMatch(/^[\w.~-]{43,128}$/);
      expect(createHash('sha256').update(verifier).digest('base64url')).toBe(sent?.get('code_challenge'));
      expect(sent?.get('state')).toMatch(/^[\w-]{22,}$/);
      expect(url).not.toContain('?');
    }
    for (const name of ['state', 'code_challenge'])
      expect(new Set(user.opened.map((url) => url.searchParams.get(name))).size).toBe(2);
  },
);

requirement(
  [
    '2026-07-28/basic/authorization/security-considerations/pkce-verified',
    '2026-07-28/basic/authorization/security-considerations/pkce-absent-oauth',
    '2026-07-28/basic/authorization/security-considerations/pkce-absent-oidc',
    '2026-07-28/basic/authorization/security-considerations/pkce-oidc-verified',
  ],
  { ...overHttp, title: 'Where the metadata names no S256, in either form, nobody is sent anywhere.' },
  async ({ revision }) => {
    const without: Metadata = ({ code_challenge_methods_supported: _, ...rest }) => rest;
    const plain: Metadata = (document) => ({
      ...document,
      code_challenge_methods_supported: ['plain'],
    });
    for (const metadata of [without, plain]) {
      for (const form of ['oauth', 'oidc-inserted', 'oidc-appended'] as const) {
        const scene = await setting(revision, { metadata, discovery: [form] });
        const user = scriptedBrowser();
        await expect(signIn(scene, { browser: user }), form).rejects.toMatchObject({ reason: 'unsupported' });
        expect(user.opened).toEqual([]);
        expect(scene.issuer.count('token')).toBe(0);
      }
    }
  },
);

requirement(
  ['2026-07-28/basic/authorization/security-considerations/state-mismatch'],
  overHttp,
  async ({ revision }) => {
    for (const state of ['missing', 'forged'] as const) {
      const scene = await setting(revision, { state });
      await expect(signIn(scene), state).rejects.toMatchObject({ reason: 'bad-response' });
      expect(scene.issuer.count('token')).toBe(0);
    }
    const twice = (back: URL) => new URL(`${back.href}&state=${back.searchParams.get('state')}`);
    const scene = await setting(revision);
    await expect(signIn(scene, { browser: scriptedBrowser({ back: twice }) })).rejects.toMatchObject({
      reason: 'bad-response',
    });
  },
);

requirement(
  [
    '2026-07-28/basic/authorization/index/issuer-recorded',
    '2026-07-28/basic/authorization/index/iss-validated',
    '2026-07-28/basic/authorization/index/iss-compared',
    '2026-07-28/basic/authorization/index/iss-absent-rejected',
    '2026-07-28/basic/authorization/index/iss-not-normalized',
  ],
  {
    ...overHttp,
    title: 'The issuer in a response is compared letter by letter before the code goes anywhere.',
  },
  async ({ revision }) => {
    const advertises = (yes: boolean) => ({
      metadata: (document: Parameters<Metadata>[0]) => ({
        ...document,
        authorization_response_iss_parameter_supported: yes,
      }),
    });
    const wrong = (issuer: string) => [
      'https://attacker.example',
      `${issuer}/`,
      issuer.toUpperCase(),
      issuer.replace('127.0.0.1', '127.0.0.%31'),
      `${issuer}/%7E`,
    ];
    for (const advertised of [true, false]) {
      await signIn(await setting(revision, advertises(advertised)));
      for (const at of [...wrong('').keys(), ...(advertised ? ['missing' as const] : [])]) {
        const scene = await setting(revision, advertises(advertised));
        const iss = at === 'missing' ? at : wrong(scene.issuer.issuer)[at];
        scene.issuer.behave({ iss: iss ?? '' });
        await expect(signIn(scene), `${advertised} ${iss}`).rejects.toMatchObject({ reason: 'bad-response' });
        expect(scene.issuer.count('token')).toBe(0);
      }
    }
    const silent = await setting(revision, { ...advertises(false), iss: 'missing' });
    await signIn(silent);
    expect(silent.issuer.count('token')).toBe(1);
  },
);

requirement(['2026-07-28/basic/authorization/index/iss-error-not-shown'], overHttp, async ({ revision }) => {
  const lie = (back: URL) => {
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_description', 'Call the hotline');
    back.searchParams.set('error_uri', 'https://attacker.example/hotline');
    back.searchParams.delete('code');
    back.searchParams.set('iss', 'https://attacker.example');
    return back;
  };
  const scene = await setting(revision);
  const failure = await signIn(scene, { browser: scriptedBrowser({ back: lie }) }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ reason: 'bad-response', oauthError: undefined });
  expect(String(failure)).not.toMatch(/hotline|access_denied/);
});

requirement(
  [
    '2026-07-28/basic/authorization/security-considerations/endpoints-https',
    '2026-07-28/basic/authorization/security-considerations/communication',
    '2026-07-28/security-best-practices/url-schemes',
    '2026-07-28/security-best-practices/url-https',
    '2026-07-28/security-best-practices/url-rejected',
    '2026-07-28/security-best-practices/url-allowed',
    '2026-07-28/security-best-practices/urls-sanitized',
  ],
  {
    ...overHttp,
    title: 'Addresses that are neither https nor on this machine are not used, whatever their scheme.',
  },
  async ({ revision }) => {
    const endpoints = [
      'http://auth.example/authorize',
      'javascript:alert(1)',
      'data:text/html,hello',
      'file:///etc/passwd',
      'vbscript:x',
      'intent://x',
      'ftp://auth.example/x',
      'no address',
    ];
    for (const endpoint of endpoints) {
      for (const name of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint']) {
        const scene = await setting(revision, {
          metadata: (document) => ({ ...document, [name]: endpoint }),
        });
        const user = scriptedBrowser();
        const failure = await signIn(scene, { browser: user }).catch((error: unknown) => error);
        expect(failure, `${name} ${endpoint}`).toMatchObject({ name: 'AuthError' });
        expect(user.opened).toEqual([]);
        expect(scene.issuer.count('token')).toBe(0);
      }
    }
  },
);
