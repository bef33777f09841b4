// The fixture on the second generation of the official SDK, over stdio, in the handshake revisions and the stateless one.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { makeServer, makeWorld } from './server-v2.js';

serveStdio(() => makeServer(makeWorld()), { onerror: (error) => console.error(error.message) });
