// The options of `openApp`, and the sandbox page with hosts of other makes, in headless Chromium.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HostedPage } from './apps/hosted-page.js';

const hosted = new HostedPage();
const { stage } = hosted;

beforeAll(() => hosted.start(), 60_000);
afterAll(() => hosted.close(), 30_000);
beforeEach(() => hosted.reset());

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
      expect(await hosted.open('<p>', { csp: { [name]: [origin] } })).toMatch(
        `TypeError: openApp: csp.${name}[0] must be an origin`,
      );
    expect(await hosted.frames()).toBe(0);
  });

  it('refuses a sandbox on the origin of the host', async () => {
    for (const sandbox of [`${stage.host}/sandbox`, '/sandbox', 'data:text/html,x'])
      expect(await hosted.open('<p>', { sandbox })).toMatch(
        'TypeError: openApp: the sandbox must have another origin',
      );
  });

  it('refuses documents that are too large', async () => {
    expect(await hosted.open('<p>'.repeat(1_398_102))).toMatch('TypeError: openApp: the app needs "html"');
  });

  it('rejects and removes the frame if the view does not initialize', async () => {
    const bounds = { openTime: 300 };
    expect(await hosted.open('<p>still', { bounds })).toBe(
      'Error: openApp: The view was not initialized within 300 ms.',
    );
    expect(await hosted.open('<p>', { bounds, sandbox: stage.outside })).toMatch('was not initialized');
    expect(await hosted.frames()).toBe(0);
  });
});

describe('the sandbox page', () => {
  /**
   * Loads a view as a host of another make would, and returns the message in which the view reports.
   *
   * @param {object} params
   */
  const load = (params) =>
    hosted.evaluate(`new Promise((resolve) => {
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
    expect(await hosted.reached()).toEqual([]);
  });

  it('applies the declared origins', async () => {
    const csp = { connectDomains: [`${stage.outside}/`] };
    expect(await load({ html: html(), csp })).toMatchObject({ reached: 'reached' });
  });

  it('is restricted before any part of the document is read', async () => {
    const early = `<script>fetch(${JSON.stringify(`${stage.outside}/early`)}).catch(() => {})</script><!doctype html><html><head>`;
    await load({ html: `${early}${html()}` });
    expect(await hosted.reached()).toEqual([]);
  });

  it('is not shown by a page that is not its host', async () => {
    await hosted.page.goto(stage.outside);
    const got = await hosted.evaluate(`new Promise((resolve) => {
      const frame = Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(stage.sandbox)} });
      addEventListener('message', ({ source, data }) => source === frame.contentWindow && resolve(data));
      frame.onload = () => resolve('no message');
      document.body.append(frame);
    })`);
    expect(got).toBe('no message');
  });

  it('loads no view for a page that is not its host, also without its headers', async () => {
    await hosted.page.goto(stage.outside);
    await hosted.evaluate(`new Promise((resolve) => {
      const frame = Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(stage.bare)} });
      addEventListener('message', ({ source }) => {
        if (source !== frame.contentWindow) return;
        const method = 'ui/notifications/sandbox-resource-ready';
        source.postMessage({ jsonrpc: '2.0', method, params: { html: 'loaded' } }, '*');
        resolve();
      });
      document.body.append(frame);
    })`);
    await hosted.reached();
    expect(await hosted.evaluate('frames[0].length')).toBe(0);
  });
});
