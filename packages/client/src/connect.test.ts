import { type Connection, latest, revisions, serverPort } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { memoryPair } from '@tenon/mcp-session/memory';
import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../tooling/suite/shows.js';
import { settled } from '../../testing/src/fake-clock.js';
import { type HttpCall, HttpPeer, modern, sessions } from '../test/http-peer.js';
import { ScriptedServer } from '../test/scripted-server.js';
import { serverScript } from '../test/scripts.js';
import { connect } from './connect.js';
import { defineExtension } from './extensions/define-extension.js';
import { connectMemory, memoryTarget } from './memory.js';

const info = { name: 'client', version: '1' };

describe.each(revisions.map((revision) => [revision.id, revision] as const))(
  'a server of %s',
  (_, revision) => {
    it('is found out, introduced, and called', async () => {
      showsBy(revision.id, {
        '2024-11-05': '2024-11-05/basic/versioning/several-versions',
        '2026-07-28': '2026-07-28/basic/index/process-not-a-conversation',
      });
      const server = new ScriptedServer(
        serverScript(revision, {
          'tools/call': (params) => ({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }),
        }),
      );
      const client = await connectMemory(server, { info });
      expect(client.state).toBe('open');
      expect(client.revision).toBe(revision.id);
      expect(client.server).toEqual({ name: 'scripted', version: '1' });
      expect(client.instructions).toBe('Be kind.');
      expect(await client.callTool('echo', { city: 'Oslo' })).toEqual({
        content: [{ type: 'text', text: '{"city":"Oslo"}' }],
        isError: false,
      });
      const opening = server.peer.methods.slice(0, -1);
      expect(opening).toEqual(
        revision.lifecycle === 'stateless'
          ? ['server/discover']
          : ['server/discover', 'initialize', 'notifications/initialized'],
      );
      await client.close();
      expect(client.state).toBe('closed');
    });
  },
);

describe('a signal', () => {
  const silent = () => ({ [serverPort]: { accept: () => undefined } });

  it('gives up connecting', async () => {
    const giveUp = new AbortController();
    const connecting = connectMemory(silent(), { info, signal: giveUp.signal });
    giveUp.abort('enough');
    await expect(connecting).rejects.toMatchObject({ reason: 'cancelled', cause: 'enough' });
  });

  it('gives up a connection that does not open, and closes it if it opens after all', async () => {
    const giveUp = new AbortController();
    let open: (connection: Connection) => void = () => {};
    const opening = new Promise<Connection>((resolve) => (open = resolve));
    const connecting = connect(() => opening, { info, signal: giveUp.signal });
    const outcome = expect(connecting).rejects.toMatchObject({ reason: 'cancelled', cause: 'enough' });
    await Promise.resolve();
    giveUp.abort('enough');
    await outcome;
    const [near, far] = memoryPair();
    const heard: unknown[] = [];
    const closed = new Promise<void>((resolve) => {
      const receive = (frame: unknown) => void heard.push(frame);
      far.start({ receive: receive as () => undefined, malformed: () => undefined, closed: () => resolve() });
    });
    open(near);
    await closed;
    expect(heard).toEqual([]);
  });

  it('ends the probe without another attempt', async () => {
    const giveUp = new AbortController();
    let opened = 0;
    const open = () => {
      opened++;
      return memoryTarget(silent()).open();
    };
    const connecting = connect({ open, restartable: true }, { info, signal: giveUp.signal });
    const outcome = expect(connecting).rejects.toMatchObject({ reason: 'cancelled' });
    await settled();
    giveUp.abort();
    await outcome;
    await settled();
    expect(opened).toBe(1);
  });

  it('that is aborted already connects to nothing', async () => {
    const connecting = connectMemory(silent(), { info, signal: AbortSignal.abort('before') });
    await expect(connecting).rejects.toMatchObject({ reason: 'cancelled', cause: 'before' });
  });

  it('has no effect once connected', async () => {
    const later = new AbortController();
    const server = new ScriptedServer(serverScript(latest));
    const client = await connectMemory(server, { info, signal: later.signal });
    later.abort();
    expect(client.state).toBe('open');
    await client.close();
  });
});

describe('options', () => {
  it.each([undefined, {}, { info: { name: 'x' } }])('%j do not say who connects', async (options) => {
    const connecting = connectMemory({ [serverPort]: { accept: () => undefined } }, options as never);
    await expect(connecting).rejects.toThrow('A client needs a name and a version');
  });
});

it('an extension counts where both ends declared it', async () => {
  shows('2024-11-05/architecture/extensions', '2026-07-28/basic/versioning/extension-fallback');
  const extensions = { 'com.example/both': { side: 'server' }, 'com.example/theirs': {} };
  const server = new ScriptedServer(serverScript(latest, {}, { extensions }));
  const ours = [
    defineExtension({ id: 'com.example/both', settings: { side: 'client' }, external: true }),
    defineExtension({ id: 'com.example/ours', external: true }),
  ];
  const client = await connectMemory(server, { info, extensions: ours });
  expect(client.extension('com.example/both')).toEqual({ side: 'server' });
  expect(client.extension('com.example/ours')).toBeUndefined();
  expect(client.extension('com.example/theirs')).toBeUndefined();
  await client.close();
});

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
])('%s is not a target', async (_, target, message) => {
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
])('an object with %s is not a target', async (_, target, message) => {
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
