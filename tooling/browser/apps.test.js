// Views in the page of a host: `@tenon/mcp-apps/host` with a sound and with hostile views in headless Chromium.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HostedPage } from './apps/hosted-page.js';
import { bundled, documentOf } from './apps/stage.js';

const hosted = new HostedPage();
const { stage } = hosted;

beforeAll(() => hosted.start(), 60_000);
afterAll(() => hosted.close(), 30_000);
beforeEach(() => hosted.reset());

describe('a view made with @tenon/mcp-apps/view', () => {
  it('is smaller than 4 kB', async () => {
    const script = await bundled(new URL('apps/smallest-view.js', import.meta.url));
    expect(script.length).toBeLessThan(4_000);
    expect(gzipSync(script).length).toBeLessThan(2_000);
  });

  it('receives the input and result, calls tools, and follows theme, size and mode', async () => {
    const context = {
      theme: 'dark',
      styles: { variables: { '--color-text-info': 'teal' } },
      displayMode: 'inline',
      availableDisplayModes: ['inline', 'fullscreen', 'pip'],
    };
    expect(
      await hosted.open(documentOf(await bundled(new URL('apps/view.js', import.meta.url))), { context }),
    ).toBe('open');
    await hosted.until('done');
    expect(await hosted.until('ready')).toEqual([
      {
        host: { name: 'page', version: '1.0.0' },
        capabilities: expect.objectContaining({
          openLinks: {},
          serverTools: {},
          sandbox: { permissions: {}, csp: {} },
        }),
        colorScheme: 'dark',
        accent: 'teal',
      },
    ]);
    expect(await hosted.until('called')).toEqual([
      expect.objectContaining({ isError: false, structuredContent: { n: 1 } }),
    ]);
    expect(await hosted.all('call')).toEqual([['refresh', { a: 1 }]]);
    expect(await hosted.until('hidden')).toEqual(['HostRequestError: tools/call: Unknown tool: delete']);
    expect(await hosted.until('read')).toEqual([{ contents: [{ uri: 'notes://a', text: 'read' }] }]);
    expect(await hosted.all('link')).toEqual([['https://example.com/']]);
    expect(await hosted.until('javascript')).toEqual([
      expect.stringContaining('Only http: and https: links'),
    ]);
    expect(await hosted.all('message')).toEqual([[[{ type: 'text', text: 'hello' }]]]);
    expect(await hosted.all('context')).toEqual([[{ structuredContent: { at: 1 } }]]);
    expect(await hosted.until('fullscreen')).toEqual(['fullscreen']);
    // The view did not declare pip.
    expect(await hosted.until('pip')).toEqual(['fullscreen']);
    expect(await hosted.until('changed')).toEqual(['dark', 'fullscreen']);
    await hosted.evaluate('(() => { host.view().partialInput({ a: 0 }); host.view().input({ a: 1 }); })()');
    await hosted.evaluate("host.view().result({ content: [{ type: 'text', text: 'ok' }] })");
    expect(await hosted.until('result')).toEqual([
      { isError: false, content: [{ type: 'text', text: 'ok' }] },
    ]);
    expect(await hosted.all('partial')).toEqual([[{ a: 0 }]]);
    expect(await hosted.all('input')).toEqual([[{ a: 1 }]]);
    await hosted.evaluate("host.view().cancelled('stopped')");
    expect(await hosted.until('cancelled')).toEqual(['stopped']);
    await hosted.evaluate("host.view().update({ theme: 'light' })");
    expect(await hosted.until('changed', 2)).toEqual(['light', 'fullscreen']);
    expect((await hosted.all('size')).at(-1)).toEqual([{ height: 321 }]);
    expect(await hosted.evaluate('host.view().frame.style.height')).toBe('321px');
    await hosted.evaluate("host.view().close('bye')");
    expect(await hosted.all('teardown')).toEqual([[]]);
    expect(await hosted.until('closed')).toEqual(['bye']);
    expect(await hosted.frames()).toBe(0);
    expect(await hosted.all('error')).toEqual([]);
  });
});

/** The beginning of a hostile view: raw messages to the frame around it. */
const raw = `
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const report = (...data) => send({ method: 'notifications/message', params: { level: 'info', data } });
  const answers = new Map();
  addEventListener('message', ({ data }) => answers.get(data.id)?.(data.error?.code ?? data.result));
  let ids = 0;
  const request = (method, params = {}, id = ++ids) =>
    new Promise((resolve) => { answers.set(id, resolve); send({ id, method, params }); });
  const initialize = async () => {
    await request('ui/initialize', { appInfo: { name: 'x', version: '1' }, appCapabilities: {}, protocolVersion: '2026-01-26' });
    send({ method: 'ui/notifications/initialized', params: {} });
  };
  const outcome = async (action) => { try { return await action(); } catch (error) { return error.name; } };
`;

describe('a hostile view', () => {
  it('reaches no origin that its app does not declare', async () => {
    const hostile = `${raw}
      const outside = ${JSON.stringify(stage.outside)};
      const violations = [];
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => violations.push(effectiveDirective));
      const element = (name, attributes) => new Promise((resolve) => {
        const one = Object.assign(document.createElement(name), attributes);
        one.onerror = () => resolve('error');
        one.onload = () => resolve('load');
        document.body.append(one);
        setTimeout(() => resolve('nothing'), 300);
      });
      await initialize();
      const tried = {
        fetch: await outcome(() => fetch(outside + '/fetch').then(() => 'reached')),
        beacon: navigator.sendBeacon(outside + '/beacon'),
        socket: await outcome(() => new Promise((resolve) => {
          const socket = new WebSocket(outside.replace('http', 'ws') + '/socket');
          socket.onopen = () => resolve('open');
          socket.onerror = () => resolve('error');
        })),
        events: await new Promise((resolve) => { new EventSource(outside + '/events').onerror = () => resolve('error'); }),
        script: await element('script', { src: outside + '/script.js' }),
        image: await element('img', { src: outside + '/image.png' }),
        style: await element('link', { rel: 'stylesheet', href: outside + '/style.css' }),
        frame: await element('iframe', { src: outside + '/frame' }),
        object: await element('object', { data: outside + '/object' }),
        prefetch: await element('link', { rel: 'prefetch', href: outside + '/prefetch' }),
        base: (() => {
          const base = Object.assign(document.createElement('base'), { href: outside + '/base/' });
          document.head.append(base);
          const { baseURI } = document;
          base.remove();
          return baseURI.startsWith(outside);
        })(),
        popup: window.open(outside + '/popup') === null,
        top: await outcome(() => { top.location = outside + '/top'; return 'gone'; }),
        eval: await outcome(() => eval('1')),
      };
      const form = Object.assign(document.createElement('form'), { action: outside + '/form', method: 'post' });
      document.body.append(form);
      form.submit();
      report('tried', tried, violations);
    `;
    expect(await hosted.open(documentOf(hostile))).toBe('open');
    const [tried, violations] = await hosted.until('tried');
    expect(tried).toEqual({
      fetch: 'TypeError',
      beacon: expect.any(Boolean),
      socket: expect.stringMatching(/error|SecurityError/),
      events: 'error',
      script: 'error',
      image: 'error',
      style: 'error',
      frame: expect.any(String),
      object: expect.any(String),
      prefetch: expect.any(String),
      base: false,
      popup: true,
      top: 'SecurityError',
      eval: 'EvalError',
    });
    expect(violations).toEqual(
      expect.arrayContaining(['connect-src', 'script-src-elem', 'img-src', 'style-src-elem']),
    );
    expect(await hosted.reached()).toEqual([]);
    expect(hosted.page.url()).toBe(`${stage.host}/`);
  });

  it('reaches declared origins only for what they are declared', async () => {
    const hostile = `${raw}
      const outside = ${JSON.stringify(stage.outside)};
      await initialize();
      const fetched = await outcome(() => fetch(outside + '/fetch').then(({ ok }) => ok));
      const image = await new Promise((resolve) => {
        const one = Object.assign(new Image(), { src: outside + '/image.png' });
        one.onerror = () => resolve('error');
        one.onload = () => resolve('load');
      });
      report('tried', fetched, image);`;
    expect(await hosted.open(documentOf(hostile), { csp: { connectDomains: [stage.outside] } })).toBe('open');
    expect(await hosted.until('tried')).toEqual([true, 'error']);
    expect(await hosted.reached()).toEqual(['/fetch']);
  });

  it.each([
    ['by its location', "location.href = outside + '/away'"],
    [
      'by a refresh',
      `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="0; url=' + outside + '/away">')`,
    ],
    ['by a link', "Object.assign(document.createElement('a'), { href: outside + '/away' }).click()"],
  ])('cannot leave for another page %s', async (_, leave) => {
    const hostile = `${raw} const outside = ${JSON.stringify(stage.outside)}; await initialize(); report('leaving'); ${leave};`;
    expect(await hosted.open(documentOf(hostile))).toBe('open');
    await hosted.until('leaving');
    expect(await hosted.reached()).toEqual([]);
  });

  it('loses its frame when it leaves for a page of a declared origin', async () => {
    const leave = `location.href = ${JSON.stringify(`${stage.outside}/away`)}`;
    const hostile = `${raw} await initialize(); report('leaving'); ${leave};`;
    const csp = { frameDomains: [stage.outside] };
    expect(await hosted.open(documentOf(hostile), { csp })).toBe('open');
    await hosted.until('leaving');
    while (!stage.reached.includes('/away')) await hosted.reached();
    await hosted.evaluate('host.view().close()');
    expect(await hosted.all('teardown')).toEqual([]);
  });

  it('has no access to the sandbox, the host, or storage', async () => {
    const hostile = `${raw}
      await initialize();
      report('tried', {
        origin: self.origin,
        sandbox: await outcome(() => parent.document.title),
        host: await outcome(() => top.document.title),
        storage: await outcome(() => localStorage.length),
        cookie: await outcome(() => document.cookie),
        camera: await outcome(() => navigator.mediaDevices?.getUserMedia({ video: true })),
        allowed: document.featurePolicy?.allowsFeature('camera'),
      });`;
    expect(await hosted.open(documentOf(hostile), { permissions: ['camera'] })).toBe('open');
    const [found] = await hosted.until('tried');
    const tried = /** @type {Record<string, unknown>} */ (found);
    const denied = 'SecurityError';
    expect(tried).toMatchObject({
      origin: 'null',
      sandbox: denied,
      host: denied,
      storage: denied,
      cookie: denied,
    });
    expect(tried.allowed ?? false).toBe(false);
  });

  it('calls no tool that is hidden from it, is unknown, or before it is initialized', async () => {
    const hostile = `${raw}
      const call = (name) => request('tools/call', { name, arguments: {} });
      const early = await call('refresh');
      await initialize();
      report('tried', {
        early,
        again: await request('ui/initialize'),
        hidden: await call('delete'),
        unknown: await call('missing'),
        long: await call('x'.repeat(10_000)),
        malformed: await request('tools/call', { name: 7 }),
        list: await request('tools/list'),
        sampling: await request('sampling/createMessage', { messages: [] }),
        prototype: await request('__proto__'),
      });`;
    expect(await hosted.open(documentOf(hostile))).toBe('open');
    expect(await hosted.until('tried')).toEqual([
      {
        early: -32600,
        again: -32600,
        hidden: -32602,
        unknown: -32602,
        long: -32602,
        malformed: -32602,
        list: -32601,
        sampling: -32601,
        prototype: -32601,
      },
    ]);
    expect(await hosted.all('call')).toEqual([]);
  });

  it('is not heard from other frames and windows', async () => {
    const message =
      "{ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'refresh', arguments: {} } }";
    const nested = `<script>for (const one of [parent, parent.parent, top]) one.postMessage(${message}, '*'); parent.postMessage('posted', '*')</script>`;
    const hostile = `${raw}
      await initialize();
      top.postMessage(${message}, '*');
      const posted = new Promise((resolve) => addEventListener('message', ({ data }) => data === 'posted' && resolve()));
      document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: ${JSON.stringify(nested)} }));
      await posted;
      send({ method: 'ui/notifications/sandbox-proxy-ready', params: {} });
      send({ method: 'ui/notifications/sandbox-resource-ready', params: { html: 'replaced' } });
      report('posted');
      report('pong', await request('ping'));`;
    expect(await hosted.open(documentOf(hostile))).toBe('open');
    await hosted.until('posted');
    // A frame of another origin in the page of the host posts a call too.
    await hosted.evaluate(`new Promise((resolve) => {
      addEventListener('message', ({ origin }) => origin === ${JSON.stringify(stage.outside)} && resolve());
      document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(stage.outside)} }));
    })`);
    await hosted.evaluate(`postMessage(${message}, '*')`);
    expect(await hosted.until('pong')).toEqual([{}]);
    expect(await hosted.all('call')).toEqual([]);
    expect(await hosted.all('closed')).toEqual([]);
  });

  it('goes on after messages that are refused', async () => {
    const hostile = `${raw}
      await initialize();
      const cyclic = {}; cyclic.self = cyclic;
      let deep = {}; for (let level = 0; level < 1_000; level++) deep = { deep };
      const garbage = [null, 7, 'x', [], {}, new Map([[1, 2]]), new Date(), new ArrayBuffer(8), cyclic, deep,
        { jsonrpc: '1.0', method: 'ping', id: 1 }, { jsonrpc: '2.0', method: 7, id: 1 }, { jsonrpc: '2.0', id: {}, method: 'ping' },
        { jsonrpc: '2.0', id: 'x'.repeat(1_000), method: 'ping' }, { jsonrpc: '2.0', id: 1.5, method: 'ping' },
        { jsonrpc: '2.0', method: 'ping', params: [] }, { jsonrpc: '2.0', id: 1n, method: 'ping' },
        { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'loud', data: ['garbage'] } },
        { jsonrpc: '2.0', id: 'host-teardown', result: {} }];
      for (const one of garbage) parent.postMessage(one, '*');
      const large = await request('ui/message', { role: 'user', content: [{ type: 'text', text: 'x'.repeat(2_000_000) }] });
      const role = await request('ui/message', { role: 'assistant', content: [{ type: 'text', text: 'x' }] });
      const blocks = await request('ui/message', { role: 'user', content: ['x'] });
      report('tried', large, role, blocks, await request('ping'));`;
    expect(await hosted.open(documentOf(hostile))).toBe('open');
    expect(await hosted.until('tried')).toEqual([-32600, -32602, -32602, {}]);
    expect(await hosted.all('message')).toEqual([]);
    expect(await hosted.all('garbage')).toEqual([]);
    // One report, however many messages are refused.
    expect(await hosted.all('error')).toHaveLength(1);
  });

  it('is closed when it floods the host', async () => {
    const hostile = `${raw} await initialize();
      const flood = () => { for (let n = 0; n < 500; n++) send({ id: ++ids, method: 'tools/call', params: { name: 'refresh' } }); };
      flood();
      setInterval(flood, 1);`;
    expect(await hosted.open(documentOf(hostile))).toBe('open');
    expect(await hosted.until('closed')).toEqual([
      expect.stringContaining('more than 1000 messages that were refused'),
    ]);
    expect(await hosted.frames()).toBe(0);
    const calls = (await hosted.all('call')).length;
    expect(await hosted.reached()).toEqual([]);
    expect((await hosted.all('call')).length).toBe(calls);
  });

  it('runs a bounded number of calls, which end with it', async () => {
    const hostile = `${raw}
      await initialize();
      const calls = Array.from({ length: 18 }, () => request('tools/call', { name: 'draw', arguments: { forever: true } }));
      report('tried', await Promise.all(calls.slice(16)));
      send({ method: 'notifications/cancelled', params: { requestId: 2 } });`;
    expect(await hosted.open(documentOf(hostile))).toBe('open');
    expect(await hosted.until('tried')).toEqual([[-31001, -31001]]);
    await hosted.until('aborted');
    await hosted.evaluate('host.view().close()');
    await hosted.until('aborted', 16);
  });

  it('has no larger frame than the host allows', async () => {
    const hostile = `${raw}
      await initialize();
      for (const height of [1e300, -1, 'x', null, {}, Infinity, NaN]) send({ method: 'ui/notifications/size-changed', params: { height, width: 1e9 } });
      report('done');`;
    expect(await hosted.open(documentOf(hostile), { bounds: { size: 900 } })).toBe('open');
    await hosted.until('done');
    expect(await hosted.all('size')).toEqual([[{ height: 900 }]]);
    expect(await hosted.evaluate('host.view().frame.style.width')).toBe('100%');
  });
});
