// The server that is attacked, as a program that is spoken to over its standard streams.
import { serveStdio } from '@tenon/mcp-server/stdio';
import { createVictim } from './victim.js';

await serveStdio(createVictim(() => {}));
