import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestId } from '@tenon/mcp-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hosted } from '../../test/hosted.js';
import { delivered, gate, goodServers, text, withMalicious } from '../../test/malicious.js';
import type { HostOptions, ServerState } from '../index.js';

const allow: HostOptions['policy'] = () => 'allow';
const calling = { server: 'evil', tool: 'run' };
const never = () => new Promise<undefined>(() => undefined);

describe('a server that never answers', () => {
  it.each(['initialize', 'tools/list'])(
    '%s does not delay the calls of others, and the list of tools at most a minute',
    async (method) => {
      const { host, clock, goodServersWork } = withMalicious({ policy: allow, script: { [method]: never } });
      await host.callTool({ server: 'bank', tool: 'pay' }, { amount: 1 });
      await host.callTool({ server: 'notes', tool: 'read' });
      const listing = host.tools();
      await delivered();
      expect(host.servers.get('evil').status).toBe('starting');
      // A model calls the good servers meanwhile.
      await goodServersWork();
      await clock.advance(60_000);
      await delivered();
      expect((await listing).map(({ server }) => server)).toEqual(['bank', 'notes']);
    },
  );

  it('initialize fails after its time, and is not tried again by the next list', async () => {
    const { host, clock, server, goodServersWork } = withMalicious({
      policy: allow,
      script: { initialize: never },
    });
    const started = host.servers.start();
    await delivered();
    await clock.advance(65_000);
    await delivered();
    expect((await started).find(({ name }) => name === 'evil')).toMatchObject({ status: 'failed' });
    const { length } = server.peers;
    await host.tools();
    await host.tools();
    expect(server.peers).toHaveLength(length);
    await goodServersWork();
  });

  it('tools/call has an unknown outcome after its time, and the text for the model says so', async () => {
    const { host, clock, goodServersWork } = withMalicious({
      policy: allow,
      script: { 'tools/call': never },
    });
    await host.tools();
    const running = host.run([{ id: '1', name: 'evil__run', args: {} }]);
    await delivered();
    await goodServersWork();
    await clock.advance(60_000);
    const [result] = await running;
    expect(result).toMatchObject({ isError: true, error: { reason: 'unknown-outcome', server: 'evil' } });
    expect(JSON.stringify(result?.content)).toContain('may or may not have run');
  });

  it('is bounded to 256 calls at once, and the good servers are called beside them', async () => {
    const { host, goodServersWork } = withMalicious({ policy: allow, script: { 'tools/call': never } });
    await host.tools();
    const ending = new AbortController();
    const calls = Array.from({ length: 300 }, () =>
      host
        .callTool(calling, {}, { signal: ending.signal })
        .catch((error: { reason?: string }) => error.reason),
    );
    await delivered();
    await goodServersWork();
    ending.abort();
    const reasons = await Promise.all(calls);
    expect(reasons.filter((reason) => reason === 'limit')).toHaveLength(44);
  });
});

describe('a server that ends during the handshake', () => {
  it('is started a bounded number of times, with pauses that double', async () => {
    const { host, clock, server, goodServersWork } = withMalicious({
      policy: allow,
      script: { initialize: (_, peer) => void peer.die() },
    });
    await host.tools();
    const first = server.peers.length;
    expect(host.servers.get('evil').status).toBe('failed');
    for (let count = 0; count < 50; count++) {
      await host.tools();
      await host.callTool(calling).catch(() => undefined);
    }
    expect(server.peers).toHaveLength(first);
    const attempts: number[] = [];
    for (let second = 1; second <= 200; second++) {
      await clock.advance(1_000);
      const before = server.peers.length;
      await host.callTool(calling).catch(() => undefined);
      if (server.peers.length > before) attempts.push(second);
    }
    // Pauses of 1, 2, 4, 8, 16, 32 and 60 seconds.
    expect(attempts).toEqual([1, 3, 7, 15, 31, 63, 123, 183]);
    await goodServersWork();
  });

  it('is not started without end when it ends after each handshake', async () => {
    const { host, clock, server, goodServersWork } = withMalicious({
      policy: allow,
      script: { 'tools/list': (_, peer) => void peer.die() },
    });
    const listing = host.tools();
    for (let second = 0; second < 300; second++) {
      await clock.advance(1_000);
      await delivered();
    }
    await listing;
    expect(server.peers.length).toBeLessThanOrEqual(10);
    await goodServersWork();
  });
});

describe('answers that a server must not send', () => {
  it('with the id of another request, twice, or of no request reach no other server', async () => {
    const ids: RequestId[] = [];
    const { host, errors, goodServersWork } = withMalicious({
      policy: allow,
      script: {
        'tools/call': (_, peer, id) => {
          ids.push(id);
          if (ids.length < 2) return undefined;
          for (let other = -5; other < 40; other++)
            if (other !== id) peer.respond(other, text(`for ${other}`));
          peer.respond('x'.repeat(100_000), text('no id'));
          peer.respond(id, text('first'));
          peer.respond(id, text('second'));
          return undefined;
        },
      },
    });
    await host.tools();
    const [one, two] = await Promise.all([host.callTool(calling), host.callTool(calling)]);
    // Its own calls alone, which may be sent in either order: they get what it sent for their ids, once.
    expect(new Set([one.content, two.content])).toEqual(
      new Set([[{ type: 'text', text: `for ${ids[0]}` }], [{ type: 'text', text: 'first' }]]),
    );
    expect(errors.length).toBeLessThan(50);
    await goodServersWork();
  });
});

describe('a sign-in that never ends', () => {
  it('leaves the server in needs-sign-in with the others at work, and ends with its signal', async () => {
    const site = createServer((_, response) => {
      response.writeHead(401, { 'www-authenticate': 'Bearer realm="evil"' }).end();
    });
    const { host } = hosted(goodServers(), { policy: allow });
    const prompts: boolean[] = [];
    const prompted = gate();
    host.servers.add('evil', {
      target: `http://127.0.0.1:${await portOf(site)}/mcp`,
      auth: {
        extensions: [],
        authorizer: () => ({
          authorize: async () => ({}),
          challenged: async ({ mayPrompt }: { mayPrompt: boolean }) => {
            prompts.push(mayPrompt);
            if (mayPrompt) {
              prompted.open();
              await never();
            }
            return false;
          },
        }),
        signIn: async (_: URL, { signal }: { signal: AbortSignal }) => {
          prompted.open();
          await new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          });
        },
      } as never,
    });
    const states: ServerState['status'][] = [];
    host.servers.onStateChange(({ name, status }) => name === 'evil' && states.push(status));
    const work = async () => {
      const results = await host.run([{ id: '1', name: 'bank__pay', args: { amount: 1 } }]);
      expect(results).toMatchObject([{ content: [{ text: 'paid 1' }] }]);
    };
    expect((await host.tools()).map(({ name }) => name)).toEqual(['bank__pay', 'notes__read']);
    expect(host.servers.get('evil').status).toBe('needs-sign-in');
    // No page opened by itself.
    expect(prompts).not.toContain(true);
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const signingIn = host.servers.signIn('evil', { signal: ending.signal });
    const ended = expect(signingIn).rejects.toThrow('enough');
    await prompted.opened;
    await work();
    await host.tools();
    expect(host.servers.get('evil').status).toBe('needs-sign-in');
    ending.abort(new Error('enough'));
    await ended;
    await work();
    expect(states).not.toContain('ready');
  });
});

it('closes while servers start, answer nothing, or send without end', async () => {
  let opened = 0;
  const { host, server } = withMalicious({ policy: allow, script: { 'tools/call': never } });
  host.servers.add('silent', () => {
    opened++;
    return new Promise(() => undefined);
  });
  const listing = host.tools().catch(() => undefined);
  await delivered();
  const call = host.callTool(calling).catch((error: unknown) => error);
  await delivered();
  server.peer.notify('notifications/tools/list_changed');
  await host.close();
  await listing;
  expect(await call).toBeInstanceOf(Error);
  expect(opened).toBe(1);
  await expect(host.callTool(calling)).rejects.toMatchObject({ reason: 'closed' });
});

/** Has a server listen until the end of the test. */
async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
