import { type ClientOptions, connect } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import type { NotesServer } from '../../notes/notes-server.js';
import { counting } from './counting.js';
import { type Addresses, startServer } from './server-process.js';
import type { Transport } from './transports.js';

/** The differences between the two HTTP transports. */
interface Reached {
  readonly name: string;
  /** Path of the built notes server. */
  readonly script: string;
  /** Revisions that have the transport. */
  readonly revisions: readonly string[];
  readonly address: keyof Addresses;
}

/** Streamable HTTP to a server in a process of its own. @param script - path of the built notes server. */
export function http(script: string, revisions: readonly string[]): Transport {
  return reached({ name: 'http', script, revisions, address: 'url' });
}

/** HTTP+SSE, which the client detects itself. @param script - path of the built notes server. */
export function sse(script: string, revisions: readonly string[]): Transport {
  return reached({ name: 'sse', script, revisions, address: 'sse' });
}

function reached({ name, script, revisions, address }: Reached): Transport {
  return {
    name,
    revisions,
    async open({ folder, serves = [], options, onServerError }) {
      const args = [folder, '--http', '0', ...serves.flatMap((revision) => ['--revision', revision])];
      const server = await startServer(script, args, onServerError);
      const target = () => httpTarget(server.addresses[address]);
      const counter = counting(target());
      try {
        const client = await connect<NotesServer>(counter.dialer, options);
        const another = (own: ClientOptions) => connect<NotesServer>(target(), own);
        return { client, sent: counter.sent, another, close: () => client.close().finally(server.stop) };
      } catch (error) {
        await server.stop();
        throw error;
      }
    },
  };
}
