// Apps in a page: the host and the sandbox of `@tenon/mcp-apps/host` with views in headless Chromium, sound and hostile ones.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundled, documentOf, Stage } from './apps/stage.js';
import { Chromium } from './chromium.js';

const stage = new Stage();
/** @type {Chromium | undefined} */
let chromium;
/** @type {import('./chromium.js').Page} */
let page;
let view = '';

beforeAll(async () => {
  view = await bundled('view.js');
  await stage.open(await bundled('host-page.js'));
  chromium = await Chromium.start();
}, 60_000);

afterAll(async () => {
  await chromium?.close();
  await stage.close();
}, 30_000);

beforeEach(async () => {
  stage.reached.length = 0;
  if (chromium === undefined) throw new Error('Chromium does not run.');
  page = await chromium.open();
  await page.go(stage.host);
});

/**
 * Opens a view in the page of the host.
 *
 * @param {string} html
 * @param {object} [more]
 * @returns {Promise<string>} `open`, or the error
 */
const open = (html, more = {}) =>
  page.evaluate(`host.open(${JSON.stringify({ sandbox: `${stage.sandbox}/`, html, ...more })})`);

/** @param {string} name @param {number} [times] */
const until = (name, times = 1) => page.evaluate(`host.until(${JSON.stringify(name)}, ${times})`);

/** @param {string} name @returns {Promise<any[][]>} */
const all = (name) =>
  page.evaluate(
    `host.events.filter(([one]) => one === ${JSON.stringify(name)}).map((event) => event.slice(1))`,
  );

describe('a view made with @tenon/mcp-apps/view', () => {
  it('is smaller than 4 kB', async () => {
    const script = await bundled('smallest-view.js');
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
    expect(await open(documentOf(view), { context })).toBe('open');
    await until('done');
    expect(await until('ready')).toEqual([
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
    expect(await until('called')).toEqual([
      expect.objectContaining({ isError: false, structuredContent: { n: 1 } }),
    ]);
    expect(await all('call')).toEqual([['refresh', { a: 1 }]]);
    expect(await until('hidden')).toEqual(['HostError: tools/call: Unknown tool: delete']);
    expect(await until('read')).toEqual([{ contents: [{ uri: 'notes://a', text: 'read' }] }]);
    expect(await all('link')).toEqual([['https://example.com/']]);
    expect(await until('javascript')).toEqual([expect.stringContaining('Only http: and https: links')]);
    expect(await all('message')).toEqual([[[{ type: 'text', text: 'hello' }]]]);
    expect(await all('context')).toEqual([[{ structuredContent: { at: 1 } }]]);
    expect(await until('fullscreen')).toEqual(['fullscreen']);
    // The view did not declare pip.
    expect(await until('pip')).toEqual(['fullscreen']);
    expect(await until('changed')).toEqual(['dark', 'fullscreen']);
    await page.evaluate('(() => { host.view().partialInput({ a: 0 }); host.view().input({ a: 1 }); })()');
    await page.evaluate("host.view().result({ content: [{ type: 'text', text: 'ok' }] })");
    expect(await until('result')).toEqual([{ isError: false, content: [{ type: 'text', text: 'ok' }] }]);
    expect(await all('partial')).toEqual([[{ a: 0 }]]);
    expect(await all('input')).toEqual([[{ a: 1 }]]);
    await page.evaluate("host.view().cancelled('stopped')");
    expect(await until('cancelled')).toEqual(['stopped']);
    await page.evaluate("host.view().update({ theme: 'light' })");
    expect(await until('changed', 2)).toEqual(['light', 'fullscreen']);
    expect((await all('size')).at(-1)).toEqual([{ height: 321 }]);
    expect(await page.evaluate('host.view().frame.style.height')).toBe('321px');
    await page.evaluate("host.view().close('bye')");
    expect(await all('teardown')).toEqual([[]]);
    expect(await until('closed')).toEqual(['bye']);
    expect(await page.evaluate("document.querySelectorAll('iframe').length")).toBe(0);
    expect(await all('error')).toEqual([]);
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

/** Resolves when a request of the host's page has reached the other origin: requests that were sent before have arrived too. */
async function sentinel() {
  for (const _ of [1, 2])
    await page.evaluate(`fetch(${JSON.stringify(`${stage.outside}/sentinel`)}).then(String)`);
  return stage.reached.filter((path) => path !== '/sentinel');
}

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
    expect(await open(documentOf(hostile))).toBe('open');
    const [tried, violations] = await until('tried');
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
    expect(await sentinel()).toEqual([]);
    expect(await page.address()).toBe(`${stage.host}/`);
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
    expect(await open(documentOf(hostile), { csp: { connectDomains: [stage.outside] } })).toBe('open');
    expect(await until('tried')).toEqual([true, 'error']);
    expect(await sentinel()).toEqual(['/fetch']);
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
    expect(await open(documentOf(hostile))).toBe('open');
    await until('leaving');
    expect(await sentinel()).toEqual([]);
  });

  it('loses its frame when it leaves for a page of a declared origin', async () => {
    const leave = `location.href = ${JSON.stringify(`${stage.outside}/away`)}`;
    const hostile = `${raw} await initialize(); report('leaving'); ${leave};`;
    const csp = { frameDomains: [stage.outside] };
    expect(await open(documentOf(hostile), { csp })).toBe('open');
    await until('leaving');
    while (!stage.reached.includes('/away')) await sentinel();
    await page.evaluate('host.view().close()');
    expect(await all('teardown')).toEqual([]);
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
    expect(await open(documentOf(hostile), { permissions: ['camera'] })).toBe('open');
    const [tried] = await until('tried');
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
    expect(await open(documentOf(hostile))).toBe('open');
    expect(await until('tried')).toEqual([
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
    expect(await all('call')).toEqual([]);
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
    expect(await open(documentOf(hostile))).toBe('open');
    await until('posted');
    // A frame of another origin in the page of the host posts a call too.
    await page.evaluate(`new Promise((resolve) => {
      addEventListener('message', ({ origin }) => origin === ${JSON.stringify(stage.outside)} && resolve());
      document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(stage.outside)} }));
    })`);
    await page.evaluate(`postMessage(${message}, '*')`);
    expect(await until('pong')).toEqual([{}]);
    expect(await all('call')).toEqual([]);
    expect(await all('closed')).toEqual([]);
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
    expect(await open(documentOf(hostile))).toBe('open');
    expect(await until('tried')).toEqual([-32600, -32602, -32602, {}]);
    expect(await all('message')).toEqual([]);
    expect(await all('garbage')).toEqual([]);
    // One report, however many messages are refused.
    expect(await all('error')).toHaveLength(1);
  });

  it('is closed when it floods the host', async () => {
    const hostile = `${raw} await initialize();
      const flood = () => { for (let n = 0; n < 500; n++) send({ id: ++ids, method: 'tools/call', params: { name: 'refresh' } }); };
      flood();
      setInterval(flood, 1);`;
    expect(await open(documentOf(hostile))).toBe('open');
    expect(await until('closed')).toEqual([
      expect.stringContaining('more than 1000 messages that were refused'),
    ]);
    expect(await page.evaluate("document.querySelectorAll('iframe').length")).toBe(0);
    const calls = (await all('call')).length;
    expect(await sentinel()).toEqual([]);
    expect((await all('call')).length).toBe(calls);
  });

  it('runs a bounded number of calls, which end with it', async () => {
    const hostile = `${raw}
      await initialize();
      const calls = Array.from({ length: 18 }, () => request('tools/call', { name: 'draw', arguments: { forever: true } }));
      report('tried', await Promise.all(calls.slice(16)));
      send({ method: 'notifications/cancelled', params: { requestId: 2 } });`;
    expect(await open(documentOf(hostile))).toBe('open');
    expect(await until('tried')).toEqual([[-31001, -31001]]);
    await until('aborted');
    await page.evaluate('host.view().close()');
    await until('aborted', 16);
  });

  it('has no larger frame than the host allows', async () => {
    const hostile = `${raw}
      await initialize();
      for (const height of [1e300, -1, 'x', null, {}, Infinity, NaN]) send({ method: 'ui/notifications/size-changed', params: { height, width: 1e9 } });
      report('done');`;
    expect(await open(documentOf(hostile), { limits: { size: 900 } })).toBe('open');
    await until('done');
    expect(await all('size')).toEqual([[{ height: 900 }]]);
    expect(await page.evaluate('host.view().frame.style.width')).toBe('100%');
  });
});

describe('openApp', () => {
  it.each([
    ['https://a.example; script-src *'],
    ['https://a.example https://b.example'],
    ["'unsafe-eval'"],
    ['https://a.example\n'],
    ['"><script>'],
    ['*'],
  ])('refuses an app that declares %j as an origin', async (origin) => {
    for (const name of ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'])
      expect(await open('<p>', { csp: { [name]: [origin] } })).toMatch(
        `TypeError: openApp: csp.${name}[0] must be an origin`,
      );
    expect(await page.evaluate("document.querySelectorAll('iframe').length")).toBe(0);
  });

  it('refuses a sandbox on the origin of the host', async () => {
    for (const sandbox of [`${stage.host}/sandbox`, '/sandbox', 'data:text/html,x'])
      expect(await open('<p>', { sandbox })).toMatch(
        'TypeError: openApp: the sandbox must have another origin',
      );
  });

  it('refuses limits that are malformed, and documents that are too large', async () => {
    expect(await open('<p>', { limits: { size: 0 } })).toMatch('RangeError: openApp: the limit "size"');
    expect(await open('<p>', { limits: { sizes: 1 } })).toMatch(
      'TypeError: openApp: there is no limit "sizes"',
    );
    expect(await open('<p>'.repeat(9), { limits: { htmlSize: 9 } })).toMatch(
      'TypeError: openApp: the app needs "html"',
    );
  });

  it('rejects and removes the frame if the view does not initialize', async () => {
    const limits = { openTime: 300 };
    expect(await open('<p>still', { limits })).toBe(
      'Error: openApp: The view was not initialized within 300 ms.',
    );
    expect(await open('<p>', { limits, sandbox: stage.outside })).toMatch('was not initialized');
    expect(await page.evaluate("document.querySelectorAll('iframe').length")).toBe(0);
  });
});

describe('the sandbox page', () => {
  /**
   * Loads a view as a host of another make would, and returns the message in which the view reports.
   *
   * @param {object} params
   */
  const load = (params) =>
    page.evaluate(`new Promise((resolve) => {
      const frame = Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(stage.sandbox)} });
      addEventListener('message', ({ data, source }) => {
        if (source !== frame.contentWindow) return;
        if (data.method !== 'ui/notifications/sandbox-proxy-ready') return resolve(data.params);
        const params = ${JSON.stringify(params)};
        source.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params }, ${JSON.stringify(stage.sandbox)});
      });
      document.body.append(frame);
    })`);

  const reporting = `<script>
    const report = (params) => parent.postMessage({ jsonrpc: '2.0', method: 'report', params }, '*');
    (async () => {
      let storage = 'open';
      try { localStorage.length; } catch (error) { storage = error.name; }
      const reached = await fetch(${'OUTSIDE'}).then(() => 'reached', () => 'refused');
      report({ storage, reached, camera: document.featurePolicy?.allowsFeature('camera') ?? null });
    })();
  </script>`;
  const html = () => reporting.replace('OUTSIDE', () => JSON.stringify(`${stage.outside}/fetch`));

  it('leaves out origins that are malformed, and tokens that would open the sandbox', async () => {
    const csp = {
      connectDomains: ['*', `${stage.outside}; script-src *`, `${stage.outside} x`, 7],
      frameDomains: 'x',
    };
    const sandbox = 'allow-scripts allow-same-origin allow-top-navigation allow-popups-to-escape-sandbox';
    expect(await load({ html: html(), csp, sandbox })).toMatchObject({
      storage: 'SecurityError',
      reached: 'refused',
    });
    expect(await sentinel()).toEqual([]);
  });

  it('applies the declared origins', async () => {
    const csp = { connectDomains: [`${stage.outside}/`] };
    expect(await load({ html: html(), csp })).toMatchObject({ reached: 'reached' });
  });

  it('is restricted before any part of the document is read', async () => {
    const early = `<script>fetch(${JSON.stringify(`${stage.outside}/early`)}).catch(() => {})</script><!doctype html><html><head>`;
    await load({ html: `${early}${html()}` });
    expect(await sentinel()).toEqual([]);
  });

  it('is not shown by a page that is not its host', async () => {
    await page.go(stage.outside);
    const got = await page.evaluate(`new Promise((resolve) => {
      const frame = Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(stage.sandbox)} });
      addEventListener('message', ({ source, data }) => source === frame.contentWindow && resolve(data));
      frame.onload = () => resolve('no message');
      document.body.append(frame);
    })`);
    expect(got).toBe('no message');
  });
});
