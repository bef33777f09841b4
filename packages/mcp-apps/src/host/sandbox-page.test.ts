import { describe, expect, it } from 'vitest';
import { sandboxAddress, sandboxHandler, sandboxPage } from './sandbox-page.js';

const hosts = ['https://chat.example', 'http://localhost:3000'];

describe('sandboxPage', () => {
  it('may be embedded by its hosts only', () => {
    const { headers, html } = sandboxPage({ hosts });
    expect(headers['content-security-policy']).toContain(`frame-ancestors ${hosts.join(' ')};`);
    expect(html).toContain(`(${JSON.stringify(hosts)})</script>`);
  });

  it.each([
    [[]],
    [undefined],
    ['https://chat.example'],
    [['*']],
    [['https://chat.example/']],
    [['https://chat.example/</script>']],
    [['https://*.example']],
    [['https://a.example;sandbox']],
    [['https://a.example:99999']],
    [['javascript:1']],
    [['https://user@chat.example']],
    [["'self'"]],
    [[7]],
  ])('refuses %j as hosts', (given) => {
    expect(() => sandboxPage({ hosts: given as never })).toThrow('must be a list of origins');
  });
});

describe('sandboxPage for a view that reaches no origin', () => {
  it.each(['/?network=none', 'https://sandbox.example/a?x=1&network=none#y', '/?network=none&network=all'])(
    'allows no connection at %s',
    (url) => {
      expect(sandboxPage({ hosts }, url).headers['connection-allowlist']).toBe('()');
      expect(sandboxHandler({ hosts })({ method: 'GET', url }).headers.get('connection-allowlist')).toBe(
        '()',
      );
    },
  );

  it.each([undefined, '/', '/?network=', '/?network=none1', '/network=none', '/#?network=none'])(
    'leaves connections to the policy at %s',
    (url) => {
      expect(sandboxPage({ hosts }, url).headers['connection-allowlist']).toBeUndefined();
    },
  );
});

describe('sandboxAddress', () => {
  const sandbox = new URL('https://sandbox.example/page?v=2');

  it.each([{}, { connectDomains: [] }, { baseUriDomains: ['https://a.example'] }])(
    'says so for %j',
    (csp) => {
      const address = sandboxAddress(sandbox, csp);
      expect(address).toBe('https://sandbox.example/page?v=2&network=none');
      expect(sandboxPage({ hosts }, address).headers['connection-allowlist']).toBe('()');
    },
  );

  it.each(['connectDomains', 'resourceDomains', 'frameDomains'])(
    'is the address itself for an app with %s',
    (name) => {
      expect(sandboxAddress(sandbox, { [name]: ['https://a.example'] })).toBe(sandbox.href);
    },
  );
});

describe('sandboxHandler', () => {
  it('serves the page to GET and HEAD', async () => {
    const handle = sandboxHandler({ hosts });
    const url = 'https://sandbox.example/';
    const { html } = sandboxPage({ hosts });
    expect(await handle({ method: 'GET', url }).text()).toBe(html);
    const head = handle({ method: 'HEAD', url });
    expect([await head.text(), head.headers.get('content-type')]).toEqual(['', 'text/html; charset=utf-8']);
    expect(handle({ method: 'POST', url }).status).toBe(405);
  });
});
