import type { Client } from '@tenon/mcp-client';
import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

const key = (name: string) => `io.modelcontextprotocol/${name}`;
const info = { name: 'labelled', version: '1.0.0', title: 'Labelled' };
const mine = { name: 'label-reader', version: '2.0.0' };

const make = () =>
  createServer(info)
    .tool('one', {}, () => 'x')
    .prompt('one', {}, () => 'x')
    .resource('a://one', {}, () => 'x')
    .resource('a://{id}', { complete: { id: () => ['one'] } }, () => 'x');

async function useAll(client: Client): Promise<void> {
  await client.tools().all();
  await client.callTool('one');
  await client.prompts().all();
  await client.getPrompt('one');
  await client.resources().all();
  await client.resourceTemplates().all();
  await client.readResource('a://one');
  await client.complete({
    ref: { type: 'ref/resource', uri: 'a://{id}' },
    argument: { name: 'id', value: '' },
  });
  await (await client.watch({ tools: true }, () => undefined)).close();
}

requirement(['2026-07-28/basic/index/meta-client-info'], {}, async ({ serve, revision }) => {
  const { client, wire } = await serve(make(), { info: mine, onElicit: () => ({ action: 'decline' }) });
  await useAll(client as Client);
  const requests = wire.from('client').filter(({ id }) => id !== undefined);
  expect(new Set(requests.map(({ method }) => method)).size).toBe(10);
  for (const { method, params } of requests)
    expect(params?._meta, method).toMatchObject({
      [key('protocolVersion')]: revision,
      [key('clientInfo')]: mine,
      [key('clientCapabilities')]: { elicitation: { form: {} } },
    });
});

requirement(
  [
    '2026-07-28/basic/index/request-id',
    '2026-07-28/basic/index/request-id-unique',
    '2026-07-28/basic/index/result-id',
    '2026-07-28/basic/index/result-type',
  ],
  { title: 'Requests have ids of their own, and results have those of their requests, a type and a sender.' },
  async ({ serve }) => {
    const { client, wire } = await serve(make());
    await useAll(client as Client);
    await Promise.all(Array.from({ length: 20 }, () => client.callTool('one')));
    const ids = wire.from('client').flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(typeof id === 'string' || Number.isSafeInteger(id)).toBe(true);
    const results = wire.from('server').filter(({ result }) => result !== undefined);
    expect(results.length).toBeGreaterThan(27);
    for (const { id, result } of results) {
      expect(ids).toContain(id);
      expect(result?.resultType).toBe('complete');
      expect(result?._meta).toMatchObject({ [key('serverInfo')]: info });
    }
  },
);
