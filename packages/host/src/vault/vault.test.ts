import { otherBounds } from '@tenon/foundation';
import type { AuthProvider } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import type { Keychain } from './keychain.js';
import { createVault, type SignInRequest, type VaultEvent } from './vault.js';

const url = 'https://notes.example/mcp';
const environment: Keychain = { get: (name) => ({ KEY: 's3cret', TOKEN: 't0ken', EMPTY: '' })[name] };
const named = (name: string) => `\${${name}}`;
const provider = (): AuthProvider => ({ authorizer: () => ({}) as never });

describe('createVault and secrets', () => {
  it('fills secrets into headers of URLs, and into variables of programs', async () => {
    const headers = {
      authorization: `Bearer ${named('TOKEN')}`,
      'x-pair': `${named('KEY')}:${named('TOKEN')}`,
      'x-plain': '$KEY {KEY}',
    };
    const vault = createVault({
      servers: { notes: { headers, env: { API_KEY: named('KEY') } } },
      secrets: [environment],
    });
    const request = { user: 'ada', server: 'notes' };
    expect(await vault.credentialsFor({ ...request, url })).toEqual({
      headers: { authorization: 'Bearer t0ken', 'x-pair': 's3cret:t0ken', 'x-plain': '$KEY {KEY}' },
    });
    expect(await vault.credentialsFor({ ...request, url: undefined })).toEqual({
      env: { API_KEY: 's3cret' },
    });
    expect(await vault.credentialsFor({ ...request, server: 'other', url })).toEqual({});
    expect(await vault.credentialsFor({ ...request, server: 'toString', url })).toEqual({});
  });

  it('reads the sources in order and each time, and those of the user if they are a function', async () => {
    let value = 'first';
    const changing: Keychain = { get: async (name) => (name === 'KEY' ? value : undefined) };
    const vault = createVault({
      servers: { notes: { headers: { a: named('KEY'), b: named('TOKEN') } } },
      secrets: (user) => (user === 'ada' ? [changing, environment] : [environment]),
    });
    const of = async (user: string) => (await vault.credentialsFor({ user, server: 'notes', url })).headers;
    expect(await of('ada')).toEqual({ a: 'first', b: 't0ken' });
    value = 'second';
    expect(await of('ada')).toEqual({ a: 'second', b: 't0ken' });
    expect(await of('bob')).toEqual({ a: 's3cret', b: 't0ken' });
  });

  it('does not fill in names that are in a secret', async () => {
    const vault = createVault({
      servers: { notes: { headers: { a: named('NESTED') } } },
      secrets: [{ get: (name) => (name === 'NESTED' ? named('KEY') : undefined) }, environment],
    });
    expect(await vault.credentialsFor({ user: undefined, server: 'notes', url })).toEqual({
      headers: { a: named('KEY') },
    });
  });

  it.each(['NONE', 'EMPTY'])('rejects if the secret %s is missing, and names it', async (name) => {
    const vault = createVault({
      servers: { notes: { headers: { a: named(name) } } },
      secrets: [environment],
    });
    await expect(vault.credentialsFor({ user: 'ada', server: 'notes', url })).rejects.toMatchObject({
      name: 'VaultError',
      message: `The secret "${name}" of the server "notes" is missing: set it in the environment, the file or the keychain of the vault.`,
    });
  });

  it('rejects if a keychain fails, with its error as the cause', async () => {
    const failing: Keychain = { get: () => Promise.reject(new Error('locked')) };
    const vault = createVault({
      servers: { notes: { headers: { a: named('KEY') } } },
      secrets: [failing, environment],
    });
    await expect(vault.credentialsFor({ user: 'ada', server: 'notes', url })).rejects.toMatchObject({
      name: 'VaultError',
      cause: { message: 'locked' },
    });
  });

  it('refuses credentials to another origin than theirs', async () => {
    const vault = createVault({
      servers: { notes: { origin: 'https://notes.example', headers: { a: named('KEY') }, auth: provider } },
      secrets: [environment],
    });
    const request = { user: 'ada', server: 'notes' };
    expect(await vault.credentialsFor({ ...request, url })).toMatchObject({ headers: { a: 's3cret' } });
    for (const other of [
      'https://evil.example/mcp',
      'http://notes.example/mcp',
      'https://notes.example:8443/mcp',
    ])
      await expect(vault.credentialsFor({ ...request, url: other })).rejects.toThrow(
        'The credentials of the server "notes" are for https://notes.example',
      );
  });
});

describe('createVault and providers', () => {
  it('makes one provider for each user, server and URL, with an account of their own', async () => {
    const made: SignInRequest[] = [];
    const auth = (request: SignInRequest) => {
      made.push(request);
      return provider();
    };
    const vault = createVault({ servers: { notes: { auth } }, others: { auth } });
    const requests = [
      { user: 'ada', server: 'notes', url },
      { user: 'bob', server: 'notes', url },
      { user: undefined, server: 'notes', url },
      { user: 'ada', server: 'other', url },
      { user: 'ada', server: 'notes', url: 'https://else.example/' },
      { user: '["ada"', server: '"notes"]', url },
    ];
    const first = await Promise.all(requests.map((one) => vault.credentialsFor(one)));
    const again = await Promise.all(requests.map((one) => vault.credentialsFor(one)));
    expect(made).toHaveLength(6);
    expect(new Set(first.map((one) => one.auth)).size).toBe(6);
    expect(again.map((one) => one.auth)).toEqual(first.map((one) => one.auth));
    for (const [at, one] of again.entries()) expect(one.auth).toBe(first[at]?.auth);
    const accounts = made.map(({ options }) => options.account);
    // One user and server at two URLs: the store keeps tokens by URL.
    expect(new Set(accounts).size).toBe(5);
    expect(accounts[0]).toBe(accounts[4]);
  });

  it('rejects the provider of another user', async () => {
    const shared = provider();
    const vault = createVault({ others: { auth: () => shared } });
    await vault.credentialsFor({ user: 'ada', server: 'notes', url });
    await vault.credentialsFor({ user: 'ada', server: 'mail', url });
    await expect(vault.credentialsFor({ user: 'bob', server: 'notes', url })).rejects.toMatchObject({
      name: 'VaultError',
      message: expect.stringContaining('returned the provider of another user'),
    });
  });

  it('holds providers up to its bound, the least recently used first to go', async () => {
    const vault = createVault({ others: { auth: provider }, ...otherBounds({ providers: 2 }) });
    const of = async (user: string) => (await vault.credentialsFor({ user, server: 'notes', url })).auth;
    const [ada, bob] = [await of('ada'), await of('bob')];
    expect(await of('ada')).toBe(ada);
    await of('eve');
    expect(await of('ada')).toBe(ada);
    expect(await of('bob')).not.toBe(bob);
  });

  it('reports events with the user and the server', async () => {
    const events: VaultEvent[] = [];
    const auth = ({ options }: SignInRequest) => {
      options.onEvent({ type: 'signed-out', server: url });
      return provider();
    };
    const vault = createVault({ others: { auth }, onEvent: (event) => events.push(event) });
    await vault.credentialsFor({ user: 'ada', server: 'notes', url });
    expect(events).toEqual([{ user: 'ada', server: 'notes', event: { type: 'signed-out', server: url } }]);
  });

  it('rejects unknown and invalid options', () => {
    expect(() => createVault({ server: {} } as never)).toThrow('there is no option "server"');
    expect(() => createVault({ servers: { a: { header: {} } } } as never)).toThrow(
      'there is no option "header"',
    );
    expect(() => createVault({ servers: { a: { headers: { b: 1 } } } } as never)).toThrow(
      'an object of texts',
    );
    for (const origin of ['https://a.example/mcp', 'a.example'])
      expect(() => createVault({ servers: { a: { origin } } })).toThrow(
        '"a": origin must be scheme and host',
      );
    expect(() => createVault({ others: { headers: {} } } as never)).toThrow('there is no option "headers"');
    expect(() => createVault({ secrets: [{}] } as never)).toThrow('a list of keychains');
  });
});
