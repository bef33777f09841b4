import { SessionError, TransportError } from '@tenon/mcp-client';
import { describe, expect, it } from 'vitest';
import type { CallState } from '../input/host-input.js';
import type { Requests } from '../requests/requests.js';
import type { ManagedServer } from '../servers/managed-server.js';
import { callTool } from './tool-calls.js';

const tools = new Map([['read', { tool: { name: 'read', inputSchema: {} }, digest: '' }]]);
const requests = {
  perform: async (_: unknown, work: (permit: object) => Promise<{ value: unknown }>) =>
    (await work({})).value,
} as unknown as Requests;

/** Calls a tool with a client that rejects with an error, after some input requests of the server. */
function called(error: Error, rounds = 0) {
  const client = {
    callTool: async (_: string, __: object, { state }: { state: CallState }) => {
      state.rounds = rounds;
      throw error;
    },
  };
  const use = (work: (one: object) => unknown) => work(client);
  const managed = { isReady: true, isTrusted: true, lists: { tools }, use } as unknown as ManagedServer;
  const origin = { way: 'direct' } as const;
  return callTool(requests, { managed, server: 'docs', tool: 'read', args: {}, origin, options: {} });
}

describe('a call that fails with its connection', () => {
  const unsent = [
    new SessionError('closed', 'The connection is closed; tools/call was not sent.', { unhandled: true }),
    new TransportError('The connection was refused.', { unhandled: true }),
  ];

  it.each(unsent)(
    'did not run, and its error is the one of the client, if it was not sent: $name',
    async (error) => {
      await expect(called(error)).rejects.toBe(error);
    },
  );

  it.each(unsent)('has run in part if it could not go on after an input request: $name', async (error) => {
    await expect(called(error, 1)).rejects.toMatchObject({ reason: 'unknown-outcome', cause: error });
  });

  it('may have run if it was sent', async () => {
    const lost = new SessionError('closed', 'The connection is closed.');
    await expect(called(lost)).rejects.toMatchObject({ reason: 'unknown-outcome', cause: lost });
  });
});
