import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { requirement } from './requirement.js';
import type { Wire } from './wire.js';

const info = { name: 'bench', version: '1.0.0' };
const annotations = { audience: ['user'], priority: 0.8, lastModified: '2025-01-12T15:00:58Z' } as const;
function listed(wire: Wire, member: 'resources' | 'prompts'): readonly Record<string, unknown>[] {
  const { result } = wire.answer(`${member}/list`);
  return (result?.[member] ?? []) as readonly Record<string, unknown>[];
}

const isTitled = (revision: string) => revision >= '2025-06-18';

requirement(
  [
    '2025-11-25-server-features/resources/definition',
    '2025-03-26/resources/optional-members',
    '2025-03-26/resources/list',
    '2025-03-26/resources/uri-and-name',
  ],
  {},
  async ({ serve, revision }) => {
    const given = { name: 'README.md', description: 'Read it first', mimeType: 'text/markdown', size: 5 };
    const server = createServer(info)
      .resource('file:///README.md', { ...given, annotations }, () => 'Hello')
      .resource('plan://bare', {}, () => '');
    const { client, wire } = await serve(server);
    await client.resources().all();
    const [full, bare] = listed(wire, 'resources');
    expect(full).toMatchObject({ uri: 'file:///README.md', ...given });
    expect(full?.annotations).toMatchObject({ audience: ['user'], priority: 0.8 });
    if (isTitled(revision)) expect(full?.annotations).toEqual(annotations);
    expect(Object.keys(bare ?? {}).sort()).toEqual(['name', 'uri']);
  },
);

requirement(
  [
    '2025-11-25-server-features/resources/templates',
    '2025-03-26/resources/templates',
    '2025-03-26/resources/template-uri',
    '2025-03-26/resources/template-members',
  ],
  {},
  async ({ serve }) => {
    const given = { name: 'plans', description: 'All plans', mimeType: 'text/plain' };
    const server = createServer(info).resource(
      'plan://{name}',
      given,
      ({ variables }) => `Plan ${variables.name}`,
    );
    const { client, wire } = await serve(server);
    await client.resourceTemplates().all();
    expect(wire.answer('resources/templates/list').result?.resourceTemplates).toEqual([
      { uriTemplate: 'plan://{name}', ...given },
    ]);
    expect((await client.readResource('plan://a%20b')).contents).toMatchObject([{ text: 'Plan a b' }]);
  },
);

requirement(['2025-11-25-server-features/resources/standard-schemes'], {}, async ({ serve }) => {
  const uris = ['https://example.com/a', 'file:///a', 'git://example.com/a.git'];
  const server = createServer(info);
  for (const uri of uris) server.resource(uri, {}, () => uri);
  const { client } = await serve(server);
  expect((await client.resources().all()).map(({ uri }) => uri)).toEqual(uris);
  for (const uri of uris)
    expect(await client.readResource(uri)).toMatchObject({ contents: [{ uri, text: uri }] });
});

requirement(['2025-11-25-server-features/resources/subscribe'], {}, async ({ serve }) => {
  const server = createServer(info)
    .resource('plan://a', {}, () => '')
    .resource('plan://b', {}, () => '');
  const { client, wire } = await serve(server);
  const heard: unknown[] = [];
  const watch = await client.watch({ uris: ['plan://a'] }, (change) => void heard.push(change));
  expect(wire.answer('resources/subscribe').result).toEqual({});
  server.resourceUpdated('plan://b');
  server.resourceUpdated('plan://a');
  expect((await wire.until('server', 'notifications/resources/updated')).params).toEqual({ uri: 'plan://a' });
  await watch.close();
  await client.request('resources/unsubscribe', { uri: 'plan://none' }).catch(() => {});
  server.resourceUpdated('plan://a');
  await client.ping();
  expect(wire.sent('client', 'resources/unsubscribe')[0]?.params).toMatchObject({ uri: 'plan://a' });
  expect(wire.sent('server', 'notifications/resources/updated')).toHaveLength(1);
  expect(heard).toEqual([{ kind: 'resource', uri: 'plan://a' }]);
});

requirement(
  [
    '2025-11-25-server-features/prompts/definition',
    '2025-03-26/prompts/list',
    '2025-03-26/prompts/name',
    '2025-03-26/prompts/optional-members',
  ],
  {},
  async ({ serve, revision }) => {
    const code = z.string().meta({ description: 'The code to review' });
    const args = z.object({ code, style: z.string().optional() });
    const given = { title: 'Code Review Assistant', description: 'Reviews code' };
    const { client, wire } = await serve(
      createServer(info).prompt('code_review', { ...given, args }, () => ''),
    );
    await client.prompts().all();
    const [prompt] = listed(wire, 'prompts');
    expect(prompt).toMatchObject({
      name: 'code_review',
      description: 'Reviews code',
      arguments: [{ name: 'code', description: 'The code to review', required: true }, { name: 'style' }],
    });
    expect(prompt?.title).toBe(isTitled(revision) ? given.title : undefined);
  },
);

requirement(['2025-03-26/prompts/content-kinds'], {}, async ({ serve }) => {
  const contents = [
    { type: 'text', text: 'a' },
    { type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
    { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'plan://a', mimeType: 'text/plain', text: 'Cut.' } },
    { type: 'resource_link', uri: 'plan://a', name: 'plan' },
  ] as const;
  const said = contents.map((content) => ({ role: 'user' as const, content }));
  const { client, wire } = await serve(createServer(info).prompt('show', {}, () => said));
  await client.getPrompt('show');
  const { messages } = wire.answer('prompts/get').result as { messages: { content: { type: string } }[] };
  expect(messages.slice(0, 4)).toEqual(said.slice(0, 4));
  expect(messages[4]?.content).toMatchObject({ type: 'text', text: expect.stringContaining('plan://a') });
});
