import { describe, expect, it } from 'vitest';
import { arrives, beginSignIn as begin, url } from '../../test/desktop/desktop-sign-in.js';
import { isListening, sendRaw, visit } from '../../test/desktop/loopback-visitor.js';

describe('LoopbackServer', () => {
  it.each([
    ['another state', '?code=c&state=wrong', 400],
    ['no state', '?code=c', 400],
    ['no query', '', 400],
    ['the right state among others', '?code=c&state=right&state=wrong', 400],
    ['an error with an empty state', '?error=access_denied&state=', 400],
    ['another path', '/../callback/x?code=c&state=right', 404],
    ['the path with a trailing slash', '/?code=c&state=right', 404],
  ])('ignores a response with %s', async (_, end, status) => {
    const signIn = await begin();
    const response = signIn.authorize({ url, state: 'right' });
    expect((await visit(signIn.redirectUri, { target: `/callback${end}` })).status).toBe(status);
    expect((await visit(signIn.redirectUri, { target: '/' })).status).toBe(404);
    expect((await visit(signIn.redirectUri, { target: '/favicon.ico' })).status).toBe(404);
    await arrives(signIn, response);
  });

  it.each(['POST', 'HEAD', 'PUT', 'OPTIONS', 'DELETE'])('rejects the method %s', async (method) => {
    const signIn = await begin();
    const response = signIn.authorize({ url, state: 'right' });
    const target = '/callback?code=evil&state=right';
    const { status, headers } = await visit(signIn.redirectUri, {
      method,
      target,
      ...(method === 'POST' && { body: 'code=evil&state=right' }),
    });
    expect(status).toBe(405);
    expect(headers.allow).toBe('GET');
    await arrives(signIn, response);
  });

  it.each(['evil.example', 'evil.example:80', '127.0.0.1', 'localhost:1', '127.0.0.1.evil.example'])(
    'rejects the host %s',
    async (host) => {
      const signIn = await begin();
      const response = signIn.authorize({ url, state: 'right' });
      const target = '/callback?code=evil&state=right';
      expect((await visit(signIn.redirectUri, { target, headers: { host } })).status).toBe(421);
      await arrives(signIn, response);
    },
  );

  it('rejects an absolute URL, as for a proxy', async () => {
    const signIn = await begin();
    const response = signIn.authorize({ url, state: 'right' });
    const target = `${signIn.redirectUri}?code=evil&state=right`;
    expect((await visit(signIn.redirectUri, { target })).status).toBe(404);
    await arrives(signIn, response);
  });

  it.each([
    ['garbage', new Uint8Array([0, 1, 2, 255, 13, 10, 13, 10]), /^HTTP\/1\.1 400 /],
    ['a TLS handshake', new Uint8Array([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]), /^HTTP\/1\.1 400 /],
    ['a request line without an end', `GET /callback?code=${'x'.repeat(70_000)}`, /^HTTP\/1\.1 431 /],
    [
      'a URL that is too long',
      `GET /callback?state=right&code=${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`,
      /^HTTP\/1\.1 431 /,
    ],
    [
      'headers that are too long',
      `GET /callback?state=right HTTP/1.1\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1\.1 431 /,
    ],
    ['no host', 'GET /callback?state=right&code=evil HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['an older HTTP', 'GET /callback?state=right&code=evil HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 421 /],
    [
      'two hosts',
      'GET /callback?state=right&code=evil HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1\r\n\r\n',
      /^HTTP\/1\.1 4\d\d /,
    ],
  ])('rejects %s', async (_, bytes, answer) => {
    const signIn = await begin();
    const response = signIn.authorize({ url, state: 'right' });
    expect(await sendRaw(signIn.redirectUri, bytes)).toMatch(answer);
    await arrives(signIn, response);
  });

  it('ignores a response before the user was sent to sign in', async () => {
    const signIn = await begin();
    for (const query of ['?code=c', '?code=c&state=', '?code=c&state=undefined'])
      expect((await visit(signIn.redirectUri + query)).status).toBe(400);
    await arrives(signIn, signIn.authorize({ url, state: 'right' }));
  });

  it('accepts only the first of two responses at the same time', async () => {
    const signIn = await begin();
    const response = signIn.authorize({ url, state: 'right' });
    const pages = ['one', 'two'].map((code) => visit(`${signIn.redirectUri}?code=${code}&state=right`));
    const taken = (await response).searchParams.get('code');
    const other = await Promise.race(pages);
    expect(other.status).toBe(400);
    await signIn.end();
    const bodies = (await Promise.all(pages)).map(({ body }) => body.includes('You are signed in'));
    expect(bodies).toEqual([taken === 'one', taken === 'two']);
  });

  it('closes connections without a request', async () => {
    const signIn = await begin();
    const response = signIn.authorize({ url, state: 'right' });
    const silent = [sendRaw(signIn.redirectUri, ''), sendRaw(signIn.redirectUri, 'GET /callback')];
    await arrives(signIn, response);
    // They do not delay the end, and are closed by it.
    expect(await Promise.all(silent)).toEqual(['', '']);
    expect(await isListening(signIn.redirectUri)).toBe(false);
  });
});
