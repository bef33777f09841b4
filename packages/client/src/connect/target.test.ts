import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import { memoryTarget } from '../memory.js';
import { connect } from './connect.js';

const info = { name: 'client', version: '1' };

it.each([
  ['a URL of files', new URL('file:///a'), 'by an http: or https: URL, not by file:'],
  ['a URL with a password', 'https://ada:secret@a.example/mcp', 'give them in the option headers'],
  ['text', 'node server.js', 'This is not a target: give a URL'],
  [
    'a command line',
    'node server.js --fast',
    'Did you mean { command: "node", args: ["server.js","--fast"] }?',
  ],
  ['a script', './dist/server.mjs', 'Did you mean { command: "node", args: ["./dist/server.mjs"] }?'],
  ['a host and port', 'localhost:3000/mcp', 'Did you mean "http://localhost:3000/mcp"?'],
  ['an address', '127.0.0.1:3000', 'Did you mean "http://127.0.0.1:3000"?'],
  ['a host and path', 'example.com/mcp', 'Did you mean "https://example.com/mcp"?'],
  ['nothing', undefined, 'This is not a target'],
])('%s is no target', async (_, target, message) => {
  await expect(connect(target as never, { info })).rejects.toThrow(message);
});

it('a function that makes connections is one', async () => {
  shows('2024-11-05/basic/transports/custom-transports', '2026-07-28/basic/transports/index/custom');
  const server = new ScriptedServer(serverScript(revision20260728));
  const client = await connect(() => memoryTarget(server).open(), { info });
  expect(client.revision).toBe('2026-07-28');
});

it('rejects with the error of a target that fails to open', async () => {
  const failing = () => Promise.reject(new Error('no such socket'));
  await expect(connect(failing, { info })).rejects.toThrow('no such socket');
});

it('rejects headers for a target that is not a URL', async () => {
  const connecting = connect({ command: 'x' }, { info, headers: { authorization: 'a' } });
  await expect(connecting).rejects.toThrow('The option headers is for URLs');
});

it('with headers only the transport may write is refused before anything is sent', async () => {
  const connecting = connect('http://127.0.0.1:1/', { info, headers: { 'Mcp-Session-Id': 'x' } });
  await expect(connecting).rejects.toThrow(TypeError);
});
