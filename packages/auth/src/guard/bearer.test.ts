import { describe, expect, it } from 'vitest';
import { requestWith } from '../../test/server/guarded-request.js';
import { presentedIn } from './bearer.js';

const shown = (authorization: string | undefined, url?: string) =>
  presentedIn(requestWith({ authorization }, url), 100);

describe('presentedIn', () => {
  it.each([
    ['Bearer abc', 'Bearer', 'abc'],
    ['bearer abc', 'Bearer', 'abc'],
    ['BEARER   abc', 'Bearer', 'abc'],
    ['Bearer aA0-._~+/==', 'Bearer', 'aA0-._~+/=='],
    ['DPoP abc', 'DPoP', 'abc'],
    ['dpop abc', 'DPoP', 'abc'],
    [`Bearer ${'x'.repeat(100)}`, 'Bearer', 'x'.repeat(100)],
  ])('reads the token of %s', (header, scheme, token) => {
    expect(shown(header)).toEqual({ scheme, token });
  });

  it.each([undefined, '', 'Basic abc', 'Bearerabc', 'abc', 'Negotiate', 'DPoPabc x', 'Basic a, Bearer b'])(
    'finds no token in %j',
    (header) => {
      expect(shown(header)).toBeUndefined();
    },
  );

  it.each([
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer a,b',
    'Bearer one, Bearer two',
    'Bearer =',
    'Bearer a=b',
    'Bearer "abc"',
    'Bearer abc\u0000',
    'Bearer \tabc\tx',
    'Bearer \u00e4',
    'Bearer a\nb',
    'DPoP',
    'DPoP a b',
  ])('rejects %j', (header) => {
    expect(shown(header)).toEqual({ problem: expect.stringContaining('one token') });
  });

  it('rejects a token that is too long', () => {
    expect(shown(`Bearer ${'x'.repeat(101)}`)).toEqual({
      problem: expect.stringContaining('100 characters'),
    });
    expect(shown(`Bearer ${'='.repeat(1_000_000)}`)).toEqual({
      problem: expect.stringContaining('100 characters'),
    });
  });

  it.each(['/mcp?access_token=abc', '/mcp?a=1&access%5Ftoken=abc', '/mcp?access_token'])(
    'rejects a token in the URL %s, even with a valid header',
    (url) => {
      for (const header of [undefined, 'Bearer abc'])
        expect(shown(header, url)).toEqual({ problem: expect.stringContaining('URL') });
    },
  );

  it.each(['/mcp?token=x', '/access_token', '/mcp?x=access_token=y', '/mcp?'])(
    'accepts the URL %s',
    (url) => {
      expect(shown('Bearer abc', url)).toEqual({ scheme: 'Bearer', token: 'abc' });
    },
  );
});
