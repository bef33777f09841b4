import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { formFor, pageFor, warnOfLinks } from './elicitation.js';

const form = (properties: Readonly<Record<string, object>>) => ({ type: 'object', properties }) as const;
const compiled = (properties: Readonly<Record<string, object>>) =>
  formFor(form(properties) as never, { key: 'k', validator: undefined });

describe('a page', () => {
  it.each([
    'https://example.com/pay?visit=8c1f',
    'http://localhost:8080/pay',
    'http://127.0.0.1/pay',
    'http://127.1.2.3/pay',
    'http://[::1]:8080/pay',
    'http://app.localhost/pay',
  ])('may be %s', (url) => {
    showsBy(url, { 'http://localhost:8080/pay': '2026-07-28/client/elicitation/url-https' });
    expect(pageFor({ message: 'Pay', url }, 'k')).toEqual({ mode: 'url', message: 'Pay', url });
  });

  it.each([
    [
      'http://example.com/',
      'Elicitation "k": a page is opened by https, or by http on this machine, not by http://.',
      '2026-07-28/client/elicitation/url-https',
    ],
    ['http://127.0.0.1.example.com/', 'not by http://.'],
    ['javascript:alert(1)', 'not by javascript://.'],
    ['file:///etc/passwd', 'not by file://.'],
    [
      'https://ada:pw@example.com/',
      'carries a user name or password',
      '2026-07-28/client/elicitation/url-no-sensitive',
    ],
    ['https://ada@example.com/', 'carries a user name or password'],
    [
      'https://example.com/?access_token=abc',
      'carries "access_token", and whoever has the URL has it',
      '2026-07-28/client/elicitation/url-no-sensitive',
      '2026-07-28/client/elicitation/url-not-preauthenticated',
    ],
    [
      'https://example.com/?a=1&apiKey=abc',
      'carries "apiKey"',
      '2026-07-28/client/elicitation/url-not-preauthenticated',
    ],
  ])('must not be %s', (url, why, ...ids) => {
    shows(...ids);
    expect(() => pageFor({ message: 'Pay', url }, 'k')).toThrow(why);
  });
});

describe('a form', () => {
  it.each([
    ['password', { type: 'string' }],
    ['newPassword', { type: 'string' }],
    ['api_key', { type: 'string' }],
    ['accessToken', { type: 'string' }],
    ['client_secret', { type: 'string' }],
    ['entry', { type: 'string', format: 'password' }],
    ['entry', { type: 'string', writeOnly: true }],
  ])('rejects a field for %s %j', (name, field) => {
    shows('2026-07-28/client/elicitation/form-no-secrets');
    expect(() => compiled({ [name]: field })).toThrow(
      `elicitation "k", field "${name}": secrets must not pass through the client: ask with ctx.elicitUrl.`,
    );
  });

  it.each([
    ['tokens', { type: 'integer' }],
    ['passwordHint', { type: 'string' }],
    ['secretary', { type: 'string' }],
    ['keyword', { type: 'string' }],
  ])('accepts a field for %s %j', (name, field) => {
    shows('2026-07-28/client/elicitation/form-no-secrets');
    expect(Object.keys(compiled({ [name]: field }).form.properties)).toEqual([name]);
  });

  it.each([
    ['its message', 'See https://example.com', {}],
    ['a title', 'Which?', { title: 'http://example.com' }],
    ['a description', 'Which?', { description: 'as at HTTPS://example.com' }],
  ])('warns once of a link in %s', (_, message, text) => {
    shows('2026-07-28/client/elicitation/no-urls-in-forms');
    const reported: unknown[] = [];
    const one = compiled({ unit: { type: 'string', ...text } });
    for (let requested = 0; requested < 3; requested++)
      warnOfLinks(one, { key: 'k', message }, (error) => void reported.push(String(error)));
    expect(reported).toEqual([expect.stringContaining('Elicitation "k": links in a form')]);
  });

  it('does not warn without links', () => {
    const reported: unknown[] = [];
    const one = compiled({ unit: { type: 'string', description: 'C or F' } });
    warnOfLinks(one, { key: 'k', message: 'Which?' }, (error) => void reported.push(error));
    expect(reported).toEqual([]);
  });
});
