import { describe, expect, it } from 'vitest';
import { requestWith } from '../../test/guarded-request.js';
import { presentedIn } from './bearer.js';

const shown = (authorization: string | undefined, url?: string) =>
  presentedIn(requestWith({ authorization }, url), 100);

describe('a token', () => {
  it.each([
    ['Bearer abc', 'Bearer', 'abc'],
    ['bearer abc', 'Bearer', 'abc'],
    ['BEARER   abc', 'Bearer', 'abc'],
    ['Bearer aA0-._~+/==', 'Bearer', 'aA0-._~+/=='],
    ['DPoP abc', 'DPoP', 'abc'],
    ['dpop abc', 'DPoP', 'abc'],
    [`Bearer ${'x'.repeat(100)}`, 'Bearer', 'x'.repeat(100)],
  ])('of %s', (header, scheme, token) => {
    expect(shown(header)).toEqual({ scheme, token });
  });

  it.each([undefined, '', 'Basic abc', 'Bearerabc', 'abc', 'Negotiate', 'DPoPabc x', 'Basic a, Bearer b'])(
    'is not shown by %j',
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
  ])('is refused as %j', (header) => {
    expect(shown(header)).toEqual({ flaw: expect.stringContaining('one token') });
  });

  it('is refused beyond its bound, whatever follows', () => {
    expect(shown(`Bearer ${'x'.repeat(101)}`)).toEqual({ flaw: expect.stringContaining('100 characters') });
    expect(shown(`Bearer ${'='.repeat(1_000_000)}`)).toEqual({
      flaw: expect.stringContaining('100 characters'),
    });
  });

  it.each(['/mcp?access_token=abc', '/mcp?a=1&access%5Ftoken=abc', '/mcp?access_token'])(
    'is refused in the URL %s, with a good header as well',
    (url) => {
      for (const header of [undefined, 'Bearer abc'])
        expect(shown(header, url)).toEqual({ flaw: expect.stringContaining('URL') });
    },
  );

  it.each(['/mcp?token=x', '/access_token', '/mcp?x=access_token=y', '/mcp?'])(
    'does not stand in %s',
    (url) => {
      expect(shown('Bearer abc', url)).toEqual({ scheme: 'Bearer', token: 'abc' });
    },
  );
});
