import { revision20241105, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { linked } from '../test/linked.js';
import { ScriptedServer } from '../test/scripted-server.js';
import { serverScript } from '../test/scripts.js';
import { connectMemory } from './memory.js';
import { createCompleter } from './ui/completer.js';

const replies = {
  'tools/call': () => ({ content: [] }),
  'completion/complete': () => ({ completion: { values: ['a'] } }),
};

it.each([
  [{ timeOut: 5 }, 'tools/call: there is no option "timeOut". Did you mean "timeout"?'],
  [{ signal: 5 }, 'tools/call: signal must be an AbortSignal.'],
  [{ progress: () => {} }, 'progress must be true or false; the callback for progress is onProgress.'],
  [{ onProgress: true }, 'tools/call: onProgress must be a function.'],
  [{ timeout: '5' }, 'tools/call: timeout must be a positive number.'],
  [{ timeout: 0 }, 'tools/call: timeout must be a positive number.'],
  [5, 'tools/call takes an object with options.'],
])('options of a call that make no sense are refused before it is sent: %j', async (options, message) => {
  const server = new ScriptedServer(serverScript(revision20260728, replies));
  const client = await linked(server);
  await expect(client.callTool('x', {}, options as never)).rejects.toThrow(message);
  expect(() => client.batch([{ method: 'tools/call', params: { name: 'x' } }], options as never)).toThrow();
  expect(server.peer.methods).not.toContain('tools/call');
});

it('an option that is undefined is as if it were left out', async () => {
  const client = await linked(new ScriptedServer(serverScript(revision20260728, replies)));
  await client.callTool('x', {}, { signal: undefined } as never);
});

it('a call that is given an object for a name says how it is written', async () => {
  const server = new ScriptedServer(serverScript(revision20260728, replies));
  const client = await linked(server);
  const named = { name: 'x', arguments: {} } as never;
  await expect(client.callTool(named)).rejects.toThrow(
    "client.callTool takes the name of a tool first, as text: client.callTool('forecast', { city: 'Oslo' }).",
  );
  await expect(client.getPrompt(named)).rejects.toThrow('client.getPrompt takes the name of a prompt first');
  await expect(client.readResource({ uri: 'file:///a' } as never)).rejects.toThrow('takes a URI first');
});

it.each([
  [() => {}, 'a function that makes one: call it.'],
  [Promise.resolve(), 'a promise of one: await it.'],
  [undefined, 'undefined.'],
  [{}, 'another object.'],
  ['server', 'a string.'],
])('connectMemory rejects a value that does not come from createServer: %s', async (given, what) => {
  await expect(connectMemory(given as never, { info: { name: 'c', version: '1' } })).rejects.toThrow(
    `connectMemory takes a server of createServer(...), not ${what}`,
  );
});

const query = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } } as const;

it.each([revision20251125, revision20260728])(
  'a server that declares no completion is asked for none: $id',
  async (revision) => {
    const server = new ScriptedServer(serverScript(revision, replies, { prompts: {} }));
    const client = await linked(server);
    await expect(client.complete(query)).rejects.toMatchObject({
      reason: 'capability-missing',
      message: 'The server did not declare the capability "completions", which completion/complete needs.',
    });
    await expect(createCompleter(client).complete(query)).resolves.toEqual({ values: [] });
    expect(server.peer.methods).not.toContain('completion/complete');
  },
);

it('the first revision has completion without a capability to declare', async () => {
  const client = await linked(new ScriptedServer(serverScript(revision20241105, replies, { prompts: {} })));
  await expect(client.complete(query)).resolves.toEqual({ values: ['a'] });
});
