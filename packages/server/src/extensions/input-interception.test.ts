import { type ClientCapabilities, defineMethod } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { everyRevision, latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import type { ServerLimits } from '../core/limits.js';
import { createServer, type Server } from '../server.js';
import { defineExtension } from './define-extension.js';
import type { InterceptedInput, ServerContributions } from './extension.js';

const info = { name: 'test', version: '1' };
const capabilities: ClientCapabilities = { elicitation: { form: {} }, sampling: {} };
const look = defineMethod('jobs/look');
const live = everyRevision.filter(
  ({ rules }) => rules.inputRequestMode === 'request' && rules.inputFeatures.elicit,
);
const form = { message: 'Name?', schema: z.object({ name: z.string() }) };
const ada = { action: 'accept', content: { name: 'Ada' } } as const;

type Intercept = NonNullable<ServerContributions['interceptInput']>;

interface Setting {
  readonly more?: Partial<ServerContributions>;
  readonly limits?: Partial<ServerLimits>;
}

/** A server with a tool that requests a name, and extensions that intercept the request, the first outermost. */
function intercepted(all: Intercept | readonly Intercept[], { more = {}, limits = {} }: Setting = {}) {
  const clock = new FakeClock();
  const extensions = [all]
    .flat()
    .map((interceptInput, index) =>
      defineExtension({ id: `com.example/jobs${index}`, interceptInput, ...more }),
    );
  const server = createServer(info, { extensions, clock, limits, onError: () => {} }).tool(
    'greet',
    {},
    async (_input, ctx) => {
      const answer = await ctx.elicit('name', form).catch((error: Error) => error);
      return answer instanceof Error ? `${answer.name}: ${answer.message}` : `Hello, ${answer.content?.name}`;
    },
  ) as unknown as Server;
  return { server, clock };
}

async function greeted(peer: WirePeer): Promise<unknown> {
  const { result } = await peer.request('tools/call', { name: 'greet' });
  return result?.content?.[0]?.text;
}

/** Answers each request of the server for a name. */
async function answering(peer: WirePeer, answer: object = ada): Promise<void> {
  const { id } = await peer.heard('elicitation/create');
  peer.answer(id, answer);
}

describe.each(live)('an intercepted input request in $id', (revision) => {
  it('has the request, and is sent by next', async () => {
    let seen: InterceptedInput | undefined;
    const { server } = intercepted((request, next) => {
      seen = request;
      return next();
    });
    const peer = await WirePeer.open(server, revision, capabilities);
    const [text] = await Promise.all([greeted(peer), answering(peer)]);
    expect(text).toBe('Hello, Ada');
    expect(seen).toMatchObject({
      method: 'elicitation/create',
      params: { message: 'Name?' },
      clientCapabilities: capabilities,
      revision: { id: revision.id },
    });
    expect(seen?.settings).toBeUndefined();
    expect(seen?.signal.aborted).toBe(false);
  });

  it('is answered without the client', async () => {
    const { server } = intercepted(() => ada);
    const peer = await WirePeer.open(server, revision, capabilities);
    expect(await greeted(peer)).toBe('Hello, Ada');
    expect(peer.received.filter(({ method }) => method !== undefined)).toEqual([]);
  });

  it.each([undefined, 'Ada', {}, { action: 'maybe' }, { task: { taskId: 'a' } }])(
    'rejects when it is settled with %j',
    async (answer) => {
      const { server } = intercepted(() => answer as never);
      const peer = await WirePeer.open(server, revision, capabilities);
      expect(await greeted(peer)).toMatch(
        /^SessionError: The answer to elicitation\/create is not valid: result/,
      );
    },
  );
});

describe('an intercepted input request', () => {
  it('passes the extensions in order, each with the params of the one before', async () => {
    const seen: unknown[] = [];
    const { server } = intercepted([
      (request, next) => next({ ...request.params, message: 'One?' }),
      async (request, next) => {
        seen.push(request.params.message);
        const answer = (await next({ ...request.params, message: 'Two?' })) as object as typeof ada;
        return { ...answer, content: { name: `${answer.content.name}!` } };
      },
    ]);
    const peer = await WirePeer.open(server, latestHandshake, capabilities);
    const [text] = await Promise.all([greeted(peer), answering(peer)]);
    expect(text).toBe('Hello, Ada!');
    expect(seen).toEqual(['One?']);
    expect((await peer.heard('elicitation/create')).params?.message).toBe('Two?');
  });

  it('calls methods of the client while the handler waits', async () => {
    const { server } = intercepted(async (request) => {
      const { name } = (await request.request(look, { at: 1 })) as { readonly name: string };
      return { action: 'accept', content: { name } };
    });
    const peer = await WirePeer.open(server, latestHandshake, capabilities);
    const text = greeted(peer);
    const asked = await peer.heard('jobs/look');
    expect(asked.params).toEqual({ at: 1 });
    peer.answer(asked.id, { name: 'Eve' });
    expect(await text).toBe('Hello, Eve');
  });

  it('calls methods of the client also after the call was cancelled', async () => {
    const { server } = intercepted(async (request, next) => {
      const own = new AbortController();
      const answer = await next(request.params, own.signal);
      if (request.signal.aborted) await request.request(look, { at: 2 });
      return answer;
    });
    const peer = await WirePeer.open(server, latestHandshake, capabilities);
    const requestId = peer.send('tools/call', { name: 'greet' });
    const { id } = await peer.heard('elicitation/create');
    peer.notify('notifications/cancelled', { requestId });
    await settled();
    expect(peer.received.some(({ method }) => method === 'notifications/cancelled')).toBe(false);
    peer.answer(id, ada);
    expect((await peer.heard('jobs/look')).params).toEqual({ at: 2 });
  });

  it('is cancelled with the call when its signal was not replaced', async () => {
    const { server } = intercepted((request, next) => next({ ...request.params, message: 'Other?' }));
    const peer = await WirePeer.open(server, latestHandshake, capabilities);
    const requestId = peer.send('tools/call', { name: 'greet' });
    const { id } = await peer.heard('elicitation/create');
    peer.notify('notifications/cancelled', { requestId });
    expect((await peer.heard('notifications/cancelled')).params).toMatchObject({ requestId: id });
  });

  it('rejects after limits.requestTotal, and aborts the signal of the extension', async () => {
    let seen: AbortSignal | undefined;
    const { server, clock } = intercepted(
      ({ signal }) => {
        seen = signal;
        return new Promise(() => {});
      },
      { limits: { requestTotal: 5_000 } },
    );
    const peer = await WirePeer.open(server, latestHandshake, capabilities);
    const text = greeted(peer);
    await clock.armed(5_000);
    await clock.advance(5_000);
    expect(await text).toBe(
      'SessionError: elicitation/create did not finish within 5000 ms; allow it more with the option "limits.requestTotal".',
    );
    expect(seen?.reason).toMatchObject({ reason: 'timeout' });
  });

  it('is not intercepted where the extension is not offered, and in revisions without requests of servers', async () => {
    const seen: unknown[] = [];
    const intercept: Intercept = (request, next) => {
      seen.push(request.method);
      return next();
    };
    const settings = ({ lifecycle }: { readonly lifecycle: string }) =>
      lifecycle === 'stateless' ? {} : undefined;
    const { server } = intercepted(intercept, { more: { settings } });
    const peer = await WirePeer.open(server, latestHandshake, capabilities);
    await Promise.all([greeted(peer), answering(peer)]);
    const stateless = await WirePeer.open(server, latestStateless, capabilities);
    const { result } = await stateless.request('tools/call', { name: 'greet' });
    expect(result?.resultType).toBe('input_required');
    expect(seen).toEqual([]);
  });

  it('is not intercepted when the client cannot answer it', async () => {
    const { server } = intercepted(() => ada);
    const peer = await WirePeer.open(server, latestHandshake, {});
    expect(await greeted(peer)).toMatch(/declares elicitation/);
  });
});
