import { serverPort } from '@tenon/mcp-protocol';
import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { vi } from 'vitest';
import { z } from 'zod';
import { settled } from '../../testing/src/fake-clock.js';
import { type FetchHandler, toFetchHandler } from '../src/fetch.js';
import type { ServerOptions } from '../src/options.js';
import type { Server } from '../src/server.js';
import { HttpPeer } from './http-peer.js';
import { TestProcesses } from './processes.js';
import type { WireMessage } from './wire-peer.js';

const names = ['first', 'second', 'third'] as const;

/** Three processes with the same server, and a client that a test sends to one of them. */
export async function openProcesses(
  define: (server: Server, name: string) => void,
  options: ServerOptions = {},
) {
  const processes = new TestProcesses();
  const started: { readonly server: Server; readonly handler: FetchHandler }[] = [];
  const slow = slowState(processes);
  for (const name of names) {
    const server = await processes.server({ ...options, ...(name === 'first' && { state: slow.state }) });
    define(server, name);
    started.push({ server, handler: toFetchHandler(server) });
  }
  let target = 0;
  const route: typeof fetch = (input, init) =>
    started[target]?.handler.serve(new Request(input, init), {}) ?? Promise.reject(new Error('No process.'));
  const capabilities = { elicitation: {} };
  const peer = await HttpPeer.open('http://localhost/mcp', {
    revision: revision20251125,
    capabilities,
    fetch: route,
  });
  return {
    processes,
    peer,
    /** Delays the messages to the first process. Returns a function that delivers them. */
    delay: slow.delay,
    /** Ends the process that the client sends to without a word, and sends to the next one. */
    async kill() {
      await started[target++]?.server[serverPort].processes?.close();
    },
    /** Drains the process that the client sends to, and sends to the next one. */
    drain() {
      return started[target++]?.handler.drain();
    },
    send(to: (typeof names)[number]) {
      target = names.indexOf(to);
    },
    /** Waits until a message to the process that has ended is given up. */
    async patience() {
      await processes.clock.armed(2_000);
      await processes.clock.advance(2_000);
      await settled();
    },
  };
}

/** The state of a process that other processes reach with a delay. */
function slowState(processes: TestProcesses) {
  const state = processes.memory.open();
  const subscribe = state.bus.subscribe.bind(state.bus);
  let delayed: (() => void)[] | undefined;
  vi.spyOn(state.bus, 'subscribe').mockImplementation((topic, subscriber) =>
    subscribe(topic, {
      gap: () => subscriber.gap(),
      message(text) {
        if (delayed === undefined) return subscriber.message(text);
        delayed.push(() => void subscriber.message(text));
      },
    }),
  );
  return {
    state,
    delay() {
      const messages: (() => void)[] = [];
      delayed = messages;
      return async () => {
        delayed = undefined;
        for (const deliver of messages) deliver();
        await settled();
      };
    },
  };
}

/** Reads a stream until the first message, and returns it with the id of its event. */
export async function first(response: Response): Promise<{ message: WireMessage; id: string }> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    const found = /id: (\S+)\ndata: (\{.*\})\n\n/.exec(text);
    if (found !== null) return { id: found[1] as string, message: JSON.parse(found[2] as string) };
  }
  throw new Error('The stream has no message.');
}

/** The answer to an input request of the tests. */
export const schema = z.object({ city: z.string() });

/** Returns the answer to an input request. */
export const accept = (id: unknown, city: string) => ({
  jsonrpc: '2.0',
  id,
  result: { action: 'accept', content: { city } },
});
