// The server of a storm as a program with stdio.
import { serveStdio } from '@tenon/mcp-server/stdio';
import { mostCalls } from '../findings/answers.js';
import { stormServer } from './storm-server.js';

const server = stormServer(new Uint8Array(mostCalls), { onError: () => {}, limits: { requestTotal: 3_000 } });
await serveStdio(server);
