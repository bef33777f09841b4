// A server for other machines: behind a proxy, with API keys, a shared key for its processes, and an orderly end.
import { createServer, type Principal } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { z } from 'zod';

const {
  PORT = '3000',
  HOST = '0.0.0.0',
  HOST_NAME = 'mcp.example.com',
  API_KEYS = '',
  STATE_KEY,
} = process.env;

// API_KEYS is 'ada:key-of-ada,bob:key-of-bob'.
const callers = new Map<string, Principal>();
for (const entry of API_KEYS.split(',')) {
  const [id, key] = entry.split(':');
  if (id && key) callers.set(`Bearer ${key}`, { id });
}

const options = STATE_KEY === undefined ? {} : { stateKeys: [STATE_KEY] }; // the same in all processes
const server = createServer({ name: 'greeter', version: '1.0.0' }, options).tool(
  'greet',
  { description: 'Says hello', input: z.object({ greeting: z.string() }) },
  ({ greeting }, ctx) => `${greeting}, ${ctx.auth?.id}!`,
);

export const serving = await serveHttp(server, {
  port: Number(PORT),
  host: HOST,
  allowedHosts: [HOST_NAME],
  authenticate: ({ header }) => callers.get(header('authorization') ?? '') ?? { status: 401 },
  remoteAddress: ({ header }) => header('x-real-ip'), // set by the proxy; clients cannot set it
  handleSignals: true, // at SIGTERM running calls finish
});
