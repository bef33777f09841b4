import { revision20260728 } from '@tenon/mcp-protocol';
import { expect, it } from 'vitest';
import { ScriptedServer } from '../test/scripted-server.js';
import { serverScript } from '../test/scripts.js';
import { connect } from './connect.js';
import { memoryTarget } from './memory.js';

const info = { name: 'client', version: '1' };

it.each([
  ['a URL', new URL('https://a.example/mcp'), 'A URL is not a supported target: give a command to start'],
  ['a URL as text', 'https://a.example/mcp', 'A URL is not a supported target'],
  ['text', 'node server.js', 'This is not a target: give a command to start'],
  ['nothing', undefined, 'This is not a target'],
])('%s is no target', async (_, target, message) => {
  await expect(connect(target as never, { info })).rejects.toThrow(message);
});

it('a function that makes connections is one', async () => {
  const server = new ScriptedServer(serverScript(revision20260728));
  const client = await connect(() => memoryTarget(server).open(), { info });
  expect(client.revision).toBe('2026-07-28');
});

it('a failure to open is told as it is', async () => {
  const failing = () => Promise.reject(new Error('no such socket'));
  await expect(connect(failing, { info })).rejects.toThrow('no such socket');
});
