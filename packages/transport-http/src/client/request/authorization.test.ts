import { runInNewContext } from 'node:vm';
import {
  type AuthorizationChallenge,
  type AuthorizedRequest,
  type Authorizer,
  TransportError,
} from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { rig, session } from '../../../test/client-rig.js';
import type { HttpCall } from '../../../test/client-scripted-server.js';
import { openHttp } from '../../client.js';
import { fetchSender } from '../sender/fetch-sender.js';

const stateless = { revision: revision20260728 };

/** An authorizer with a token made from a counter, which a refusal increments. */
class Counter implements Authorizer {
  readonly requests: AuthorizedRequest[] = [];
  readonly challenges: AuthorizationChallenge[] = [];
  readonly nonces: string[] = [];
  token = 0;
  decide: (challenge: AuthorizationChallenge) => Promise<boolean> = async () => {
    this.token++;
    return true;
  };

  authorize(request: AuthorizedRequest): ReturnType<Authorizer['authorize']> {
    this.requests.push(request);
    return this.token === 0 ? undefined : { authorization: `Bearer t${this.token}` };
  }

  challenged(challenge: AuthorizationChallenge): Promise<boolean> {
    this.challenges.push(challenge);
    return this.decide(challenge);
  }

  nonce(nonce: string): void {
    this.nonces.push(nonce);
  }
}

/** Answers requests with one token, and rejects all others. */
function gated(token: string, rest: (call: HttpCall) => unknown, status = 401) {
  return (call: HttpCall) =>
    call.headers.authorization === `Bearer ${token}`
      ? rest(call)
      : call.raw(status, { 'www-authenticate': 'Bearer realm="a"', 'dpop-nonce': 'n1' }, 'nobody gets in');
}

describe('an authorized request', () => {
  it('sends the headers of its authorizer, which replace those of the application', async () => {
    const authorizer = new Counter();
    authorizer.token = 3;
    const headers = () => ({ authorization: 'Basic b', 'x-mine': '1' });
    const { server, ask } = await rig((call) => call.result(), { ...stateless, authorizer, headers });
    await ask(1);
    expect(server.calls[0]?.headers).toMatchObject({ authorization: 'Bearer t3', 'x-mine': '1' });
    expect(authorizer.requests).toEqual([{ method: 'POST', url: server.url }]);
  });

  it('is sent again after a refusal and a sign-in', async () => {
    const authorizer = new Counter();
    const { server, receiver, ask } = await rig(
      gated('t1', (call) => call.result({ ok: 1 })),
      { ...stateless, authorizer },
    );
    await ask(1);
    expect(receiver.values).toEqual([{ jsonrpc: '2.0', id: 1, result: { ok: 1 } }]);
    expect(server.calls).toHaveLength(2);
    expect(server.calls[1]?.message).toEqual(server.calls[0]?.message);
    expect(authorizer.challenges).toMatchObject([
      {
        status: 401,
        authenticate: ['Bearer realm="a"'],
        nonce: 'n1',
        sent: undefined,
        attempt: 1,
        request: { method: 'POST', url: server.url },
        revision: { id: '2026-07-28' },
      },
    ]);
  });

  it('reports the number and details of its refusals', async () => {
    const authorizer = new Counter();
    const { ask } = await rig(
      gated('t3', (call) => call.result()),
      { ...stateless, authorizer },
    );
    await ask(1);
    expect(authorizer.challenges.map(({ attempt, sent }) => [attempt, sent?.authorization])).toEqual([
      [1, undefined],
      [2, 'Bearer t1'],
      [3, 'Bearer t2'],
    ]);
  });

  it('fails with the error of the server if the authorizer cannot help', async () => {
    const authorizer = new Counter();
    authorizer.decide = async () => false;
    for (const status of [401, 403]) {
      const { ask } = await rig(
        gated('t1', () => undefined, status),
        { ...stateless, authorizer },
      );
      const failure = await ask(1).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(TransportError);
      expect(failure).toMatchObject({ status, message: expect.stringContaining('nobody gets in') });
    }
  });

  it('fails with the error of its authorizer', async () => {
    const authorizer = new Counter();
    const denied = new TransportError('The user said no.', { permanent: true });
    authorizer.decide = () => Promise.reject(denied);
    const { ask } = await rig(
      gated('t1', () => undefined),
      { ...stateless, authorizer },
    );
    await expect(ask(1)).rejects.toBe(denied);
    authorizer.authorize = () => {
      throw denied;
    };
    await expect(ask(2)).rejects.toBe(denied);
    authorizer.authorize = () => Promise.reject(denied);
    await expect(ask(3)).rejects.toBe(denied);
  });

  it('fails when its authorizer throws instead of rejecting', async () => {
    const authorizer = new Counter();
    authorizer.decide = () => {
      throw new Error('Not written yet.');
    };
    const { ask } = await rig(
      gated('t1', () => undefined),
      { ...stateless, authorizer },
    );
    await expect(ask(1)).rejects.toThrow('Not written yet.');
  });

  it('waits for headers promised in another realm', async () => {
    const authorizer = new Counter();
    authorizer.authorize = () => runInNewContext('Promise.resolve({ authorization: "Bearer far" })');
    const { server, ask } = await rig((call) => call.result(), { ...stateless, authorizer });
    await ask(1);
    expect(server.calls[0]?.headers.authorization).toBe('Bearer far');
  });

  it('rejects headers that would break the request', async () => {
    const authorizer = new Counter();
    authorizer.authorize = () => ({ authorization: 'Bearer a\r\nx-evil: 1' });
    const { server, ask } = await rig((call) => call.result(), { ...stateless, authorizer });
    await expect(ask(1)).rejects.toThrow('must be text without line breaks');
    expect(server.calls).toHaveLength(0);
  });

  it('waits while the user signs in, even if the server disconnects', async () => {
    const authorizer = new Counter();
    const { server, receiver, ask } = await rig(
      (call) => {
        if (call.headers.authorization !== undefined) return call.result();
        // An error response that never ends.
        call.response.writeHead(401, { 'content-length': '100' });
        call.response.write('nobody');
      },
      { ...stateless, authorizer },
    );
    let signIn = () => {};
    const challenged = new Promise<void>((resolve) => {
      authorizer.decide = () => {
        resolve();
        return new Promise((again) => {
          signIn = () => {
            authorizer.token = 1;
            again(true);
          };
        });
      };
    });
    const waits: Promise<unknown>[] = [];
    Object.assign(receiver, { waitsFor: (step: Promise<unknown>) => waits.push(step) });
    const asked = ask(1);
    await challenged;
    expect(waits).toHaveLength(1);
    for (const socket of server.sockets) socket.destroy();
    await server.deserted();
    signIn();
    await asked;
    expect(receiver.values).toMatchObject([{ id: 1 }]);
  });

  it('aborts the sign-in when the request is cancelled', async () => {
    const authorizer = new Counter();
    const { connection, server, ask } = await rig(
      gated('t1', () => undefined),
      { ...stateless, authorizer },
    );
    let heard: AuthorizationChallenge | undefined;
    const challenged = new Promise<void>((resolve) => {
      authorizer.decide = (challenge) => {
        heard = challenge;
        resolve();
        return new Promise(() => undefined);
      };
    });
    const asked = ask(1);
    await challenged;
    expect(heard?.signal.aborted).toBe(false);
    connection.cancel(1);
    await asked;
    expect(heard?.signal.aborted).toBe(true);
    expect(server.calls).toHaveLength(1);
  });

  it('passes nonces of successful responses to the authorizer', async () => {
    const authorizer = new Counter();
    const { ask } = await rig((call) => call.result({}, { 'dpop-nonce': 'n7' }), {
      ...stateless,
      authorizer,
    });
    await ask(1);
    expect(authorizer.nonces).toEqual(['n7']);
  });
});

describe('an authorized session', () => {
  it('authorizes every request, including the event stream and the DELETE', async () => {
    const authorizer = new Counter();
    authorizer.token = 1;
    const { server, connection, initialize } = await rig(
      session((call) => call.raw(405)),
      { revision: revision20251125, authorizer },
    );
    await initialize();
    await server.call('GET');
    await connection.close();
    expect(server.calls.map(({ method, headers }) => [method, headers.authorization])).toEqual([
      ['POST', 'Bearer t1'],
      ['POST', 'Bearer t1'],
      ['GET', 'Bearer t1'],
      ['DELETE', 'Bearer t1'],
    ]);
  });

  it('does not start a sign-in for the DELETE at its end', async () => {
    const authorizer = new Counter();
    authorizer.token = 1;
    const open = session((call) => call.raw(405));
    const { connection, initialize } = await rig(
      (call) => (call.method === 'DELETE' ? call.raw(401) : open(call)),
      { revision: revision20251125, authorizer },
    );
    await initialize();
    await connection.close();
    expect(authorizer.challenges).toEqual([]);
  });

  it('is lost after the sign-in for its event stream was refused, without further attempts', async () => {
    const authorizer = new Counter();
    authorizer.token = 1;
    const denied = new TransportError('The user said no.', { permanent: true });
    authorizer.decide = () => Promise.reject(denied);
    const { receiver, initialize } = await rig(
      session((call) => call.raw(401, { 'www-authenticate': 'Bearer' })),
      { revision: revision20251125, authorizer },
    );
    await initialize();
    expect(await receiver.end()).toBe(denied);
    expect(authorizer.challenges).toHaveLength(1);
  });
});

it('rejects two sources of authorization', () => {
  const options = { authorizer: new Counter(), headers: { Authorization: 'Bearer x' } };
  expect(() => openHttp('http://127.0.0.1:1/mcp', options)).toThrow('not both');
});

it('reports the server’s challenge from a fetch of the application too', async () => {
  const headers = { 'www-authenticate': 'DPoP', 'dpop-nonce': 'n2' };
  const sender = fetchSender('https://a.example', async () => new Response('', { status: 401, headers }));
  const seen = await new Promise((resolve) => {
    const sink = { head: (...head: unknown[]) => resolve(head), chunk() {}, end() {}, failed() {} };
    sender.request({ method: 'POST', path: '/', headers: [], body: null }, sink);
  });
  expect(seen).toMatchObject([401, headers]);
});
