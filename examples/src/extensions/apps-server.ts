// A tool with a user interface, which Vite builds, and a tool that only the interface calls.
import { apps } from '@tenon/mcp-apps/server';
import { createServer } from '@tenon/mcp-server';
import { serveStdio } from '@tenon/mcp-server/stdio';
import { z } from 'zod';

const ui = apps().app('forecast', { entry: new URL('apps-view.js', import.meta.url), prefersBorder: true });

const input = z.object({ city: z.string() });
const output = z.object({ city: z.string(), degrees: z.array(z.number()) });

export const server = createServer({ name: 'weather', version: '1.0.0' }, { extensions: [ui] })
  .tool('forecast', { input, output, ui: 'forecast' }, ({ city }) => ({ city, degrees: [3, 5, 4] }))
  .tool('refresh', { input, output, ui: { visibility: ['app'] } }, ({ city }) => ({
    city,
    degrees: [4, 6, 5],
  }));

if (process.argv.includes('--stdio')) await serveStdio(server);
