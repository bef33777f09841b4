import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { type HttpCall, HttpPeer, modern, sessions } from '../../test/http-peer.js';
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

it.each<[string, object, string]>([
  [
    'an unknown member',
    { url: 'https://a.example/mcp', header: {} },
    'there is no option "header". Did you mean "headers"?',
  ],
  ['an unknown member', { command: 'node', arg: [] }, 'there is no option "arg". Did you mean "args"?'],
  ['both kinds', { url: 'https://a.example/mcp', command: 'node' }, 'there is no option "command"'],
  [
    'headers that are not texts',
    { url: 'https://a.example/mcp', headers: { a: 1 } },
    'headers must be an object of texts',
  ],
  ['variables that are not texts', { command: 'node', env: { PORT: 80 } }, 'env must be an object of texts'],
  [
    'another type',
    { url: 'https://a.example/mcp', type: 'ws' },
    'type must be "http" or "streamable-http" or "sse"',
  ],
  ['a URL that is empty', { url: '' }, 'url must be a URL'],
])('an object with %s is no target', async (_, target, message) => {
  await expect(connect(target as never, { info })).rejects.toThrow(message);
});

it('rejects headers in the target and in the options', async () => {
  const target = { url: 'https://a.example/mcp', headers: { a: 'b' } };
  await expect(connect(target, { info, headers: { c: 'd' } })).rejects.toThrow('give them once');
});

it.each([modern, sessions])('sends the headers of a target with a URL with each request', async (script) => {
  const peer = await HttpPeer.start(
    script({ 'tools/call': (call: HttpCall) => call.result({ content: [] }) }),
  );
  const sent: unknown[] = [];
  const fetched: typeof fetch = (input, init) => {
    sent.push(new Headers(init?.headers).get('authorization'));
    return fetch(input, init);
  };
  const target = { type: 'http', url: peer.url, headers: { authorization: 'Bearer x' } };
  const client = await connect(target, { info, fetch: fetched as never });
  await client.callTool('a');
  await client.close();
  expect(sent.length).toBeGreaterThan(1);
  expect(new Set(sent)).toEqual(new Set(['Bearer x']));
});

it('sends the headers of a target with a URL to no other origin', async () => {
  const visits: unknown[] = [];
  const fetched = (input: string) => {
    visits.push(new URL(input).origin);
    return Promise.resolve(
      new Response(null, { status: 307, headers: { location: 'https://b.example/mcp' } }),
    );
  };
  const target = { url: 'https://a.example/mcp', headers: { authorization: 'Bearer x' } };
  await expect(connect(target, { info, fetch: fetched })).rejects.toThrow('https://b.example');
  expect(new Set(visits)).toEqual(new Set(['https://a.example']));
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
