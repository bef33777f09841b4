import { textOf } from '@tenon/mcp-client';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type OpenOptions, openServer } from './open-server.js';

/** Returns the text of a tool that requests each kind of input. */
async function requested(options: Partial<OpenOptions> = {}): Promise<unknown> {
  const server = createServer({ name: 'curious', version: '1.0.0' }).tool('ask', {}, async (_, ctx) => {
    const form = await ctx.elicit('form', { message: 'Who?', schema: z.object({ name: z.string() }) });
    const page = await ctx.elicitUrl('page', { message: 'Sign in', url: 'https://example.com/' });
    const params = { messages: [], maxTokens: 1 };
    const sample = await ctx.sample('sample', params).catch((error: Error) => error.message);
    return JSON.stringify({ form, page: page.action, sample, roots: await ctx.roots('roots') });
  });
  const serving = await serveHttp(server, { port: 0 });
  onTestFinished(() => serving.close());
  const info = { name: 'tester', version: '1.0.0' };
  const client = await openServer(
    { kind: 'url', url: serving.url },
    { info, revision: '2025-11-25', ...options },
  );
  onTestFinished(() => client.close());
  return JSON.parse(textOf((await client.callTool('ask')).content));
}

describe('a connection of a program without a user', () => {
  it('declares what hosts declare, and cancels or rejects input requests', async () => {
    expect(await requested()).toEqual({
      form: { action: 'cancel' },
      page: 'cancel',
      sample: expect.stringContaining('No user can approve sampling here.'),
      roots: [],
    });
  });

  it('uses the handlers that it has', async () => {
    const onElicit = () => ({ action: 'decline' }) as const;
    expect(await requested({ onElicit })).toMatchObject({ form: { action: 'decline' }, page: 'cancel' });
  });
});
