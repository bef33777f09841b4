import { type AuthorizationChallenge, type AuthProvider, TransportError } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { type HttpCall, HttpPeer, modern, sessions } from '../../test/http-peer.js';
import { connect } from '../connect.js';
import { defineExtension } from '../extensions/define-extension.js';
import type { StateChange } from './connection-supervisor.js';

const info = { name: 'client', version: '1' };

/** Returns a token after the user has signed in. */
class Gate implements AuthProvider {
  readonly servers: string[] = [];
  readonly challenges: AuthorizationChallenge[] = [];
  token: string | undefined;
  denies: Error | undefined;

  authorizer(server: URL) {
    this.servers.push(server.href);
    return {
      authorize: () => (this.token === undefined ? undefined : { authorization: `Bearer ${this.token}` }),
      challenged: async (challenge: AuthorizationChallenge) => {
        this.challenges.push(challenge);
        if (this.denies !== undefined) throw this.denies;
        this.token = 'secret';
        return true;
      },
    };
  }
}

/** Answers 401 to requests without the token. */
function gated(rest: (call: HttpCall) => unknown) {
  return (call: HttpCall) =>
    call.headers.authorization === 'Bearer secret'
      ? rest(call)
      : call.raw(401, '', { 'www-authenticate': 'Bearer' });
}

describe('a client with auth', () => {
  it.each([
    ['2026-07-28', modern()],
    ['2025-11-25', sessions()],
  ])('signs in when the first request is refused, and goes on in %s', async (revision, script) => {
    const peer = await HttpPeer.start(gated(script));
    const auth = new Gate();
    const client = await peer.connect({ auth });
    expect(client.revision).toBe(revision);
    expect(auth.servers).toEqual([peer.url]);
    expect(auth.challenges).toHaveLength(1);
    expect(auth.challenges[0]).toMatchObject({ status: 401, authenticate: ['Bearer'], attempt: 1 });
  });

  it('fails to connect with what its sign-in failed with, and tries nothing else', async () => {
    const peer = await HttpPeer.start(gated(modern()));
    const auth = new Gate();
    auth.denies = new TransportError('The user said no.', { permanent: true });
    await expect(connect(peer.url, { info, auth })).rejects.toMatchObject({
      message: 'server/discover: The user said no.',
      permanent: true,
    });
    expect(auth.challenges).toHaveLength(1);
    expect(peer.calls).toHaveLength(1);
  });

  it('fails with what its sign-in failed with where only the older transport asks for one', async () => {
    const peer = await HttpPeer.start((call) => call.raw(call.name === 'GET' ? 401 : 405));
    const auth = new Gate();
    auth.denies = new TransportError('The user said no.', { permanent: true });
    await expect(connect(peer.url, { info, auth })).rejects.toBe(auth.denies);
    expect(auth.challenges).toHaveLength(1);
  });

  it('closes without another sign-in when the sign-in for reconnecting is refused', async () => {
    const peer = await HttpPeer.start(gated(sessions()));
    const auth = new Gate();
    const changes: StateChange[] = [];
    const client = await peer.connect({ auth, onStateChange: (change) => changes.push(change) });
    await peer.call('GET');
    auth.denies = new TransportError('The user said no.', { permanent: true });
    // The session is gone, and so is what the user had allowed.
    auth.token = undefined;
    peer.script = (call) => call.raw(call.name === 'ping' ? 404 : 401);
    await expect(client.ping()).rejects.toThrow('The user said no.');
    expect(changes.map(({ state }) => state)).toEqual(['open', 'reconnecting', 'closed']);
    expect(auth.challenges).toHaveLength(2);
  });

  it('needs a URL to reach its server by', async () => {
    const auth = new Gate();
    await expect(connect({ command: 'node' }, { info, auth })).rejects.toThrow('The option auth is for URLs');
  });

  it('needs something that signs in', async () => {
    const auth = 'Bearer secret' as never;
    await expect(connect('http://127.0.0.1:1/', { info, auth })).rejects.toThrow('AuthProvider');
  });
});

it('a client declares the extensions that its way to sign in stands for', async () => {
  const peer = await HttpPeer.start(gated(modern()));
  const auth = Object.assign(new Gate(), { extensions: { 'com.example/badge': { size: 2 } } });
  const extensions = [defineExtension({ id: 'com.example/other', external: true })];
  await peer.connect({ auth, extensions });
  const meta = peer.calls.at(-1)?.message.params?._meta as Record<string, { extensions?: unknown }>;
  expect(meta['io.modelcontextprotocol/clientCapabilities']?.extensions).toEqual({
    'com.example/badge': { size: 2 },
    'com.example/other': {},
  });
});
