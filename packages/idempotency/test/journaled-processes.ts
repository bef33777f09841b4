import { latestStateless, serverPort } from '@tenon/mcp-protocol';
import { type Context, createServer, type Server, type ServerLimits } from '@tenon/mcp-server';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { countedState } from '../../server/test/counted-state.js';
import { type Json, WirePeer } from '../../server/test/wire-peer.js';
import { FakeClock } from '../../testing/src/fake-clock.js';
import { type IdempotencyOptions, idempotency, idempotencyKey } from '../src/server.js';

export type Handler = (input: { readonly amount?: number }, ctx: Context) => unknown;

/** Servers that share their state. Their tool `pay` may not run again without effect; `set` may. */
export function journaledProcesses(
  handler: Handler,
  { limits = {}, ...options }: IdempotencyOptions & { limits?: Partial<ServerLimits> } = {},
) {
  const clock = new FakeClock();
  const memory = new SharedMemory({ clock });
  const errors: string[] = [];
  const node = async (capabilities = {}, revision = latestStateless) => {
    const port = countedState(memory.open());
    const input = z.object({ amount: z.number().optional() });
    const server = createServer(
      { name: 'test', version: '1' },
      {
        state: port.state,
        extensions: [idempotency(options)],
        clock,
        limits,
        stateKeys: [new Uint8Array(32)],
        onError: (error, where) => errors.push(`${where}: ${error}`),
      },
    )
      .tool('pay', { input }, handler as never)
      .tool('set', { input, annotations: { idempotentHint: true } }, handler as never) as unknown as Server;
    onTestFinished(() => server.close());
    const peer = await WirePeer.open(server, revision, capabilities);
    onTestFinished(() => peer.close());
    await server[serverPort].processes?.joined;
    const call = (key: unknown, { name = 'pay', more = {}, args = {} as object } = {}) =>
      peer.request('tools/call', { name, arguments: args, ...more }, { [idempotencyKey]: key });
    /** Returns the text of the result, or the message of the error. */
    const text = async (key: unknown, options?: Parameters<typeof call>[1]) => {
      const { result, error } = await call(key, options);
      return error?.message ?? (result?.content?.[0] as Json | undefined)?.text;
    };
    return { server, port, peer, call, text };
  };
  return { clock, memory, errors, node };
}
