import { defineMethod } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import { connect } from '../connect.js';
import { memoryTarget } from '../memory.js';
import { defineExtension } from './define-extension.js';
import type { ExtensionClient } from './extension.js';

const id = 'com.example/review';
const decide = defineMethod('acme/decide');
const info = { name: 'client', version: '1' };

const review = defineExtension({
  id,
  members: (client) => ({
    reviews: { decide: async (ticket: string) => client.request(decide, { ticket }) },
  }),
});

function reviewing(revision = revision20260728, declared = true): ScriptedServer {
  const script = { 'acme/decide': () => ({ approved: true, resultType: 'complete' }) };
  const capabilities = { tools: {}, ...(declared && { extensions: { [id]: {} } }) };
  return new ScriptedServer(serverScript(revision, script, capabilities));
}

describe.each([revision20251125, revision20260728])('members of an extension in $id', (revision) => {
  it('are members of the client, and call the server', async () => {
    const server = reviewing(revision);
    const client = await connect(memoryTarget(server), { info, extensions: [review] });
    expect(await client.reviews.decide('7')).toMatchObject({ approved: true });
    expect(server.peer.paramsOf('acme/decide')).toMatchObject([{ ticket: '7' }]);
    expect(review.of(client).reviews).toBe(client.reviews);
  });

  it('reject when the server does not declare the extension', async () => {
    const client = await connect(memoryTarget(reviewing(revision, false)), { info, extensions: [review] });
    await expect(client.reviews.decide('7')).rejects.toMatchObject({ reason: 'capability-missing' });
  });
});

it('members belong to one client each', async () => {
  const clients: ExtensionClient[] = [];
  const numbered = defineExtension({ id, members: (client) => ({ number: clients.push(client) }) });
  const extensions = [numbered];
  const first = await connect(memoryTarget(reviewing()), { info, extensions });
  const second = await connect(memoryTarget(reviewing()), { info, extensions });
  expect([first.number, second.number]).toEqual([1, 2]);
  expect(clients[0]).not.toBe(clients[1]);
  expect(numbered.of(second)).toEqual({ number: 2 });
});

it('of() rejects a client that was made without the extension', async () => {
  const bare = await linked(reviewing());
  const other = await linked(reviewing(), { extensions: [defineExtension({ id, members: () => ({}) })] });
  for (const client of [bare, other]) {
    expect(() => review.of(client)).toThrow(TypeError);
    expect(() => review.of(client)).toThrow(`This client was made without the extension "${id}"`);
  }
});

it.each<[string, () => object, string]>([
  ['callTool', () => ({ callTool: 1 }), 'the member "callTool" belongs to every client already.'],
  ['a member of every object', () => ({ toString: 1 }), 'the member "toString" belongs to every client'],
  ['then', () => JSON.parse('{"then":1}'), 'the member "then" belongs to every client'],
  ['no object', () => 3 as never, 'members() must return an object, such as { tasks }.'],
  ['__proto__', () => JSON.parse('{"__proto__":1}'), 'the member "__proto__" belongs to every client'],
])('members are rejected when they have %s, before the client connects', async (_, members, message) => {
  const server = reviewing();
  const connecting = linked(server, { extensions: [defineExtension({ id, members })] });
  await expect(connecting).rejects.toThrow(`Extension "${id}": ${message}`);
  expect(server.peers).toEqual([]);
});

it('members are rejected when another extension has the name', async () => {
  const other = defineExtension({ id: 'com.example/other', members: () => ({ reviews: 1 }) });
  await expect(linked(reviewing(), { extensions: [review, other] })).rejects.toThrow(
    `Extension "com.example/other": the member "reviews" belongs to "${id}" already.`,
  );
});
