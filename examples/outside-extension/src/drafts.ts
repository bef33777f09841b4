// A server with one tool that has its results reviewed. With the argument --stdio it serves over stdio.
import { createServer } from '@tenon/mcp-server';
import { serveStdio } from '@tenon/mcp-server/stdio';
import { z } from 'zod';
import { review } from './server.js';

export const server = createServer({ name: 'drafts', version: '1.0.0' }, { extensions: [review()] }).tool(
  'draft',
  { input: z.object({ to: z.string() }), review: { reason: 'Letters are read before they are sent' } },
  ({ to }) => `Dear ${to}`,
);

if (process.argv.includes('--stdio')) await serveStdio(server);
