import { describe, expect, it } from 'vitest';
import { sandboxHandler, sandboxPage } from './sandbox-page.js';

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

describe('sandboxHandler', () => {
  it('serves the page to GET and HEAD', async () => {
    const handle = sandboxHandler({ hosts });
    const { html } = sandboxPage({ hosts });
    expect(await handle({ method: 'GET' }).text()).toBe(html);
    const head = handle({ method: 'HEAD' });
    expect([await head.text(), head.headers.get('content-type')]).toEqual(['', 'text/html; charset=utf-8']);
    expect(handle({ method: 'POST' }).status).toBe(405);
  });
});
