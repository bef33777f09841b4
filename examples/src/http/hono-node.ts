// The Hono application on Node.
// #region run
import { serve } from '@hono/node-server';
import { app, mcp } from './hono.js';

const { PORT = '3000' } = process.env;
export const listening = serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });

export async function stop(): Promise<void> {
  listening.close();
  await mcp.drain();
}
// #endregion
