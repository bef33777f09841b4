// The attacked stdio server, as a program.
import { serveStdio } from '@tenon/mcp-server/stdio';
import { createVictim } from './victim.js';

await serveStdio(createVictim(() => {}));
