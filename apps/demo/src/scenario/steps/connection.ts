import { SessionError } from '@tenon/mcp-client';
import type { expectations } from '../expectations.js';
import type { Steps } from '../stage/stage.js';

/** Negotiation and server info. */
export const connectionSteps: Steps<typeof expectations.connection> = {
  // Without the century.
  negotiation: ({ plain }) => plain.client.revision.slice(2),
  'first request': ({ user }) => {
    const first = user.requests[0]?.method ?? 'none';
    return first === 'initialize' ? 'init' : first.replace('server/', '');
  },
  'server name': ({ client }) => client.server?.name ?? '– none',
  'server title': ({ client }) => client.server?.title ?? '– none',
  instructions: ({ client }) => `${client.instructions?.split(' ').length} words`,
  capabilities: ({ client }) => `${Object.keys(client.capabilities).length} kinds`,
  ping: async ({ client }) => {
    try {
      await client.ping();
      return 'pong';
    } catch (error) {
      if (error instanceof SessionError) return `– ${error.reason}`;
      throw error;
    }
  },
};
