import { RemoteError, RpcError } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import type { AppServer } from '../model/app-metadata.js';
import { type AppHostOptions, type ViewBounds, viewBounds } from './app-host-options.js';
import { ViewSession } from './view-session.js';

type Message = { readonly [key: string]: unknown };

const app = {
  uri: 'ui://chart',
  html: '<p>',
  csp: {},
  permissions: ['camera' as const],
  domain: undefined,
  prefersBorder: undefined,
};

const tools: ReadonlyMap<string, object> = new Map([
  ['refresh', {}],
  ['hidden', { _meta: { ui: { visibility: ['model'] } } }],
]);

const server: AppServer = {
  tool: async (name) => tools.get(name),
  callTool: async (name) => ({ content: [{ type: 'text', text: name }] }),
  readResource: async (uri) => ({ contents: [{ uri, text: 'x' }] }),
};

/** A session, and a view that posts messages by hand. */
function start(options: Partial<AppHostOptions> = {}, bounds: Partial<ViewBounds> = {}) {
  const posted: Message[] = [];
  const events: unknown[] = [];
  let now = 0;
  let ids = 0;
  const given = {
    app,
    server,
    sandbox: '',
    info: { name: 'host', version: '1' },
    onError: (error: unknown) => events.push(['error', String(error)]),
    ...options,
  };
  const session = new ViewSession(
    given,
    { ...viewBounds, ...bounds },
    {
      post: (message) => posted.push(message as Message),
      now: () => now,
      resize: (size) => events.push(['size', size]),
      initialized: () => events.push('initialized'),
      remove: (reason) => events.push(['removed', reason]),
    },
  );
  const send = (message: object) => session.receive({ jsonrpc: '2.0', ...message });
  const request = async (method: string, params: object = {}) => {
    const id = ++ids;
    send({ id, method, params });
    await settled();
    const answer = posted.find((one) => one.id === id && one.method === undefined);
    return answer?.error ?? answer?.result;
  };
  const open = async (appCapabilities: object = {}) => {
    const result = await request('ui/initialize', { appCapabilities });
    send({ method: 'ui/notifications/initialized' });
    posted.length = 0;
    return result as Message;
  };
  return { session, posted, events, send, request, open, pass: (ms: number) => (now += ms) };
}

describe('a view', () => {
  it('receives nothing before it is initialized', async () => {
    const { session, posted, events, send } = start();
    session.input({});
    session.update({ theme: 'dark' });
    await session.teardown('x');
    send({ method: 'ui/notifications/initialized' });
    expect([posted, events]).toEqual([[], []]);
  });

  it('has no requests before it is initialized, and initializes once', async () => {
    const { request, open } = start();
    expect(await request('tools/call', { name: 'refresh' })).toMatchObject({ code: -32600 });
    await open();
    expect(await request('ui/initialize')).toMatchObject({ code: -32600 });
  });

  it('receives the info, features and context of the host', async () => {
    const onOpenLink = () => true;
    const { open } = start({ onOpenLink, permissions: ['camera', 'microphone'], context: { theme: 'dark' } });
    expect(await open()).toEqual({
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'host', version: '1' },
      hostCapabilities: {
        openLinks: {},
        serverTools: {},
        serverResources: {},
        sandbox: { permissions: { camera: {} }, csp: {} },
      },
      hostContext: { theme: 'dark', displayMode: 'inline' },
    });
  });

  it('receives the input once, before the result', async () => {
    const { session, posted, open } = start();
    await open();
    expect(() => session.result({ content: [] })).toThrow('call input() first');
    session.partialInput({ a: 1 });
    session.input({ a: 2 });
    session.partialInput({ a: 3 });
    expect(() => session.input({})).toThrow('received the input of its tool already');
    session.result({ content: [] });
    expect(posted.map(({ method }) => method)).toEqual([
      'ui/notifications/tool-input-partial',
      'ui/notifications/tool-input',
      'ui/notifications/tool-result',
    ]);
  });

  it('calls tools that are visible to it', async () => {
    const { open, request } = start();
    await open();
    expect(await request('tools/call', { name: 'refresh' })).toEqual({
      content: [{ type: 'text', text: 'refresh' }],
    });
    for (const name of ['hidden', 'missing'])
      expect(await request('tools/call', { name })).toEqual({
        code: -32602,
        message: `Unknown tool: ${name}`,
      });
  });

  it.each([
    ['tools/call', { name: 'refresh' }],
    ['resources/read', { uri: 'ui://chart' }],
  ])('stops its own %s when it cancels the request, and receives no answer', async (method, params) => {
    let signal: AbortSignal | undefined;
    const wait = (given: AbortSignal) => {
      signal = given;
      return new Promise<never>((_, reject) => {
        given.addEventListener('abort', () => reject(given.reason));
      });
    };
    const waiting: AppServer = {
      tool: server.tool,
      callTool: (_name, _args, options) => wait(options.signal),
      readResource: (_uri, options) => wait(options.signal),
    };
    const { open, send, request, posted } = start({ server: waiting });
    await open();
    send({ id: 'mine', method, params });
    await settled();
    for (const requestId of ['other', 7, undefined, {}])
      send({ method: 'notifications/cancelled', params: { requestId } });
    expect(signal?.aborted).toBe(false);
    send({ method: 'notifications/cancelled', params: { requestId: 'mine' } });
    expect(signal?.aborted).toBe(true);
    await settled();
    expect(posted.map(({ id }) => id)).toEqual(['mine']);
    // The id is free again.
    send({ id: 'mine', method: 'ping' });
    expect(await request('ping')).toEqual({});
  });

  it('has no methods of features that the host does not offer', async () => {
    const { open, request } = start({ server: undefined as never });
    await open();
    for (const method of [
      'tools/call',
      'resources/read',
      'ui/open-link',
      'ui/message',
      'ui/update-model-context',
      'x',
    ])
      expect(await request(method)).toMatchObject({ code: -32601 });
  });

  it('receives errors of the server, and no others', async () => {
    const errors = [
      new RemoteError({ code: -32000, message: 'Too late' }),
      new RpcError(-31004, 'Slow down'),
      new Error('secret path'),
    ];
    const readResource = async () => {
      throw errors.shift();
    };
    const { open, request, events } = start({ server: { ...server, readResource } });
    await open();
    expect(await request('resources/read', { uri: 'a' })).toMatchObject({ code: -32000 });
    expect(await request('resources/read', { uri: 'a' })).toEqual({ code: -31004, message: 'Slow down' });
    expect(await request('resources/read', { uri: 'a' })).toEqual({
      code: -32603,
      message: 'Internal error',
    });
    expect(events).toEqual(['initialized', ['error', 'Error: secret path']]);
  });

  it('is refused by handlers that return false', async () => {
    const no = () => false;
    const { open, request } = start({ onOpenLink: no, onMessage: no, onModelContext: no });
    await open();
    expect(await request('ui/open-link', { url: 'https://a.example' })).toMatchObject({ code: -32000 });
    const content = { type: 'text', text: 'x' };
    expect(await request('ui/message', { role: 'user', content })).toMatchObject({ code: -32000 });
    expect(await request('ui/update-model-context', {})).toMatchObject({ code: -32000 });
    for (const url of ['javascript:1', 'file:///etc', 'https://a.example@b.example', 'x', 7, undefined])
      expect(await request('ui/open-link', { url })).toMatchObject({ code: -32602 });
  });

  it('opens links to this machine and to bare numbers only with localLinks', async () => {
    const opened: string[] = [];
    const onOpenLink = (url: URL) => opened.push(url.href);
    const local = ['http://localhost:3000/', 'http://a.localhost/', 'http://127.0.0.1/', 'http://[::1]/'];
    const numbers = ['http://10.0.0.1/', 'http://0x7f.1/', 'http://2130706433/', 'https://[fd00::1]/'];
    const strict = start({ onOpenLink });
    await strict.open();
    for (const url of [...local, ...numbers])
      expect(await strict.request('ui/open-link', { url })).toMatchObject({ code: -32000 });
    expect(opened).toEqual([]);
    await strict.request('ui/open-link', { url: 'https://localhost.example/1' });
    expect(opened).toEqual(['https://localhost.example/1']);
    const trusting = start({ onOpenLink, localLinks: true });
    await trusting.open();
    await trusting.request('ui/open-link', { url: 'http://localhost:3000/' });
    expect(opened.at(-1)).toBe('http://localhost:3000/');
  });

  it('changes to display modes that both ends support', async () => {
    const context = { availableDisplayModes: ['inline', 'fullscreen', 'pip'] as const };
    const { session, open, request, posted } = start({ context, onDisplayMode: (mode) => mode });
    await open({ availableDisplayModes: ['inline', 'fullscreen'] });
    expect(await request('ui/request-display-mode', { mode: 'fullscreen' })).toEqual({ mode: 'fullscreen' });
    expect(posted.at(-1)).toMatchObject({
      method: 'ui/notifications/host-context-changed',
      params: { displayMode: 'fullscreen' },
    });
    expect(await request('ui/request-display-mode', { mode: 'pip' })).toEqual({ mode: 'fullscreen' });
    expect(await request('ui/request-display-mode', { mode: 'wide' })).toMatchObject({ code: -32602 });
    expect(() => session.update({ displayMode: 'pip' })).toThrow('does not support the display mode "pip"');
    session.update({ displayMode: 'inline' });
    expect(session.context.displayMode).toBe('inline');
  });

  it('keeps its display mode when it requests one that the host does not have', async () => {
    const asked: string[] = [];
    const context = { availableDisplayModes: ['inline', 'fullscreen'] as const };
    const onDisplayMode = (mode: 'inline' | 'fullscreen' | 'pip') => {
      asked.push(mode);
      return mode;
    };
    const { open, request } = start({ context, onDisplayMode });
    await open({ availableDisplayModes: ['inline', 'pip'] });
    for (const mode of ['pip', 'fullscreen'])
      expect(await request('ui/request-display-mode', { mode })).toEqual({ mode: 'inline' });
    expect(asked).toEqual([]);
  });

  it('saves its data before it is removed', async () => {
    const { session, open, posted, send, events } = start();
    await open();
    const over = session.teardown('bye').then(() => events.push('saved'));
    expect(posted).toEqual([
      { jsonrpc: '2.0', id: 'host-teardown', method: 'ui/resource-teardown', params: { reason: 'bye' } },
    ]);
    send({ id: 'other', result: {} });
    await settled();
    expect(events).toEqual(['initialized']);
    send({ id: 'host-teardown', result: {} });
    await over;
    session.close('bye');
    session.close('again');
    expect(events).toEqual(['initialized', 'saved', ['removed', 'bye']]);
  });
});

describe('a view that sends too much', () => {
  it('is refused until time has passed', async () => {
    const { open, request, pass } = start({}, { messagesPerSecond: 3 });
    await open();
    expect(await request('ping')).toEqual({});
    expect(await request('ping')).toMatchObject({ code: -31001 });
    pass(334);
    expect(await request('ping')).toEqual({});
    expect(await request('ping')).toMatchObject({ code: -31001 });
  });

  it('saves no more messages than those of one second while it is silent', async () => {
    const { open, request, pass } = start({}, { messagesPerSecond: 3 });
    await open();
    pass(60_000);
    const answers = await Promise.all(Array.from({ length: 5 }, () => request('ping')));
    expect(answers.map((answer) => (answer as { code?: number }).code)).toEqual([
      undefined,
      undefined,
      undefined,
      -31001,
      -31001,
    ]);
  });

  it('is closed after too many messages that were refused, and its calls end', async () => {
    let signal: AbortSignal | undefined;
    const callTool: AppServer['callTool'] = (_name, _args, options) => {
      signal = options.signal;
      return new Promise(() => {});
    };
    const { open, send, events, posted } = start({ server: { ...server, callTool } }, { refusedMessages: 3 });
    await open();
    send({ id: 9, method: 'tools/call', params: { name: 'refresh' } });
    await settled();
    for (let n = 0; n < 4; n++) send({ id: 'x', method: 7 });
    expect(signal?.aborted).toBe(true);
    expect(events.at(-1)).toEqual(['removed', expect.stringContaining('more than 3 messages')]);
    posted.length = 0;
    send({ id: 10, method: 'ping' });
    expect(posted).toEqual([]);
  });

  it('has a bounded number of running requests, with different ids', async () => {
    const readResource = () => new Promise<never>(() => {});
    const { open, send, posted, request } = start(
      { server: { ...server, readResource } },
      { pendingRequests: 2 },
    );
    await open();
    send({ id: 'a', method: 'resources/read', params: { uri: 'a' } });
    send({ id: 'a', method: 'resources/read', params: { uri: 'a' } });
    expect(posted.at(-1)).toMatchObject({ id: 'a', error: { code: -32600 } });
    send({ id: 'b', method: 'resources/read', params: { uri: 'b' } });
    expect(await request('resources/read', { uri: 'c' })).toMatchObject({ code: -31001 });
  });
});

describe('messages of a view', () => {
  const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'x'],
    ['a list', []],
    ['a map', new Map()],
    ['bytes', new Uint8Array(4)],
    ['nested too deeply', { jsonrpc: '2.0', id: 1, method: 'ping', params: nested(80) }],
    ['a cycle', { jsonrpc: '2.0', id: 1, method: 'ping', params: cyclic }],
    [
      'a number that JSON does not have',
      { jsonrpc: '2.0', id: 1, method: 'ping', params: { n: Number.NaN } },
    ],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }],
    ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }],
    ['a long text', { jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'x'.repeat(2_000) } }],
    [
      'many members',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'ping',
        params: Object.fromEntries([...'x'.repeat(500)].map((_, n) => [`m${n}`, 1])),
      },
    ],
  ])('are refused if they are %s', async (_, message) => {
    const { session, open, posted, events } = start({}, { messageSize: 1_000 });
    await open();
    session.receive(message);
    await settled();
    for (const one of posted) expect(one).toMatchObject({ error: { code: -32600 } });
    expect(events.at(-1)).toEqual(['error', expect.stringMatching(/RpcError: The message /)]);
  });

  it('that are logs and sizes reach the host, and errors of the host stay there', async () => {
    const { open, send, events, request } = start({
      onLog: ({ level, data }) => {
        if (data === 'bad') throw new Error('log');
        events.push([level, data]);
      },
    });
    await open();
    for (const data of ['good', 'bad'])
      send({ method: 'notifications/message', params: { level: 'info', data } });
    send({ method: 'notifications/message', params: { level: 'loud', data: 'x' } });
    send({ method: 'ui/notifications/size-changed', params: { height: 3 } });
    expect(await request('ping')).toEqual({});
    expect(events).toEqual([
      'initialized',
      ['info', 'good'],
      ['size', { height: 3 }],
      ['error', 'Error: log'],
    ]);
  });
});
