// Serves the skills of a folder over stdio, next to a tool that they explain.
import { fileURLToPath } from 'node:url';
import { createServer } from '@tenon/mcp-server';
import { serveStdio } from '@tenon/mcp-server/stdio';
import { directory } from '@tenon/mcp-skills/directory';
import { skills } from '@tenon/mcp-skills/server';
import { z } from 'zod';

const folder = fileURLToPath(new URL('../../skills', import.meta.url));

export const server = createServer(
  { name: 'shop', version: '1.0.0' },
  { extensions: [skills({ from: directory(folder) })] },
).tool('refund', { input: z.object({ order: z.string() }) }, ({ order }) => `Refunded ${order}`);

await serveStdio(server);
