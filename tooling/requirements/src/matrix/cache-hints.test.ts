import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { requirement } from './requirement.js';

const cacheable = [
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
];

const make = () =>
  createServer({ name: 'cached', version: '1.0.0' }, { cache: { lists: 5_000 } })
    .tool('one', {}, () => 'x')
    .prompt('one', {}, () => 'x')
    .resource('a://one', { cache: { ttlMs: 7_000, cacheScope: 'public' } }, () => 'x')
    .resource('a://asks', {}, async (_, ctx) => {
      const answer = await ctx.elicit('who', { message: 'Who?', schema: z.object({ who: z.string() }) });
      return answer.action;
    })
    .resource('a://{id}/part', {}, () => 'x');

requirement(['2026-07-28/server/utilities/caching/hints'], {}, async ({ serve }) => {
  const { client, wire } = await serve(make());
  await client.tools().all();
  await client.prompts().all();
  await client.resources().all();
  await client.resourceTemplates().all();
  await client.readResource('a://one');
  for (const method of cacheable) {
    const { result } = wire.answer(method);
    expect(result?.resultType, method).toBe('complete');
    expect(Number.isSafeInteger(result?.ttlMs) && Number(result?.ttlMs) >= 0, method).toBe(true);
    expect(['public', 'private'], method).toContain(result?.cacheScope);
  }
  expect(wire.answer('tools/list').result).toMatchObject({ ttlMs: 5_000, cacheScope: 'public' });
  expect(wire.answer('resources/read').result).toMatchObject({ ttlMs: 7_000, cacheScope: 'public' });
});

requirement(['2026-07-28/server/utilities/caching/no-hints-input-required'], {}, async ({ serve }) => {
  const { client, wire } = await serve(make(), { onElicit: () => ({ action: 'decline' }) });
  await client.readResource('a://asks');
  const asked = wire.from('server').filter(({ result }) => result?.resultType === 'input_required');
  expect(asked).toHaveLength(1);
  for (const { result } of asked) {
    expect(result).not.toHaveProperty('ttlMs');
    expect(result).not.toHaveProperty('cacheScope');
  }
});
