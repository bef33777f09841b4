import { pathToFileURL } from 'node:url';
import { SessionError } from '@tenon/mcp-client';
import type { expectations } from './expectations.js';
import type { Stage, Steps } from './stage.js';

/** Getting to know each other. */
export const connectionSteps: Steps<typeof expectations.connection> = {
  negotiation: (stage) => negotiate(stage),
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

/** A client that speaks all revisions meets a server that speaks one: the century is left out of what they find. */
async function negotiate({ transport, folder, desk, revision, user }: Stage): Promise<string> {
  const { middleware: _, ...options } = user.options(pathToFileURL(desk).href);
  const onServerError = (what: string) => user.complain(`server: ${what}`);
  const opened = await transport.open({ folder, serves: [revision], options, onServerError });
  try {
    return opened.client.revision.slice(2);
  } finally {
    await opened.close();
  }
}
