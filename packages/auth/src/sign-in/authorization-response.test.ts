import { describe, expect, it } from 'vitest';
import { AuthError } from '../auth-error.js';
import { readAuthorizationResponse } from './authorization-response.js';

const issuer = 'https://auth.example';
const state = 'state-0123456789abcdef';
const code = 'code-0123456789abcdef';

function read(query: string, expected: { issInResponse?: boolean; issuer?: string } = {}): string {
  const response = new URL(`https://app.example/callback?${query}`);
  return readAuthorizationResponse(response, { state, issuer, issInResponse: false, ...expected });
}

function failure(query: string, expected?: Parameters<typeof read>[1]): AuthError {
  try {
    read(query, expected);
  } catch (error) {
    if (error instanceof AuthError) return error;
  }
  throw new Error('It was taken.');
}

const own = `state=${state}&code=${code}`;
const iss = (text: string) => `iss=${encodeURIComponent(text)}`;

describe('iss, as in the table of RFC 9207', () => {
  it.each([
    ['advertised and present', true, `${own}&${iss(issuer)}`],
    ['not advertised, but present', false, `${own}&${iss(issuer)}`],
    ['not advertised, and missing', false, own],
  ])('accepts a response with an iss that is %s', (_, issInResponse, query) => {
    expect(read(query, { issInResponse })).toBe(code);
  });

  it.each([
    ['advertised and missing', true, own],
    ['empty', true, `${own}&iss=`],
    ['empty, and not advertised', false, `${own}&iss=`],
    ['another issuer', true, `${own}&${iss('https://evil.example')}`],
    ['another issuer, and not advertised', false, `${own}&${iss('https://evil.example')}`],
    ['the same but for a slash', true, `${own}&${iss(`${issuer}/`)}`],
    ['the same but for its case', true, `${own}&${iss('https://AUTH.example')}`],
    ['the same but for a default port', true, `${own}&${iss('https://auth.example:443')}`],
    ['the same but for percent-encoding', true, `${own}&${iss('https://%61uth.example')}`],
    ['the right one, and another one too', true, `${own}&${iss(issuer)}&${iss('https://evil.example')}`],
  ])('rejects a response with an iss that is %s', (_, issInResponse, query) => {
    expect(failure(query, { issInResponse }).reason).toBe('bad-response');
  });

  it('distinguishes an issuer with a trailing slash', () => {
    expect(failure(`${own}&${iss(issuer)}`, { issuer: `${issuer}/` }).reason).toBe('bad-response');
    expect(read(`${own}&${iss(`${issuer}/`)}`, { issuer: `${issuer}/` })).toBe(code);
  });

  it('ignores an error from another issuer, or without one', () => {
    const said = `state=${state}&error=access_denied&error_description=Call+555+now&error_uri=https%3A%2F%2Fevil.example`;
    for (const query of [`${said}&${iss('https://evil.example')}`, said]) {
      const error = failure(query, { issInResponse: true });
      expect(error.reason).toBe('bad-response');
      expect(error.oauthError).toBeUndefined();
      expect(error.message).not.toMatch(/access_denied|555|evil/);
    }
  });
});

describe('state of an authorization response', () => {
  it.each([
    ['missing', `code=${code}`],
    ['empty', `state=&code=${code}`],
    ['another', `state=${state}x&code=${code}`],
    ['truncated', `state=${state.slice(1)}&code=${code}`],
    ['duplicated', `${own}&state=${state}`],
  ])('rejects a response with a state that is %s', (_, query) => {
    expect(failure(query).reason).toBe('bad-response');
  });

  it('ignores an error with another state', () => {
    expect(failure('state=other&error=access_denied').oauthError).toBeUndefined();
  });
});

describe('content of an authorization response', () => {
  it.each(['code', 'error', 'error_description', 'error_uri'])('rejects a duplicate %s', (name) => {
    expect(failure(`state=${state}&${name}=one&${name}=two`).reason).toBe('bad-response');
  });

  it.each([
    ['neither code nor error', `state=${state}`],
    ['an empty code', `state=${state}&code=`],
    ['a code that is too long', `state=${state}&code=${'x'.repeat(8_193)}`],
  ])('rejects %s', (_, query) => {
    expect(failure(query).reason).toBe('bad-response');
  });

  it('tells a denial from other errors', () => {
    const error = failure(`state=${state}&error=access_denied`);
    expect(error).toMatchObject({ reason: 'denied', oauthError: 'access_denied' });
    expect(error.message).toContain('denied access');
    const other = failure(`${own}&error=invalid_scope&error_description=hm%20${code}`);
    expect(other).toMatchObject({ reason: 'denied', oauthError: 'invalid_scope' });
    expect(other.message).toContain('with invalid_scope.');
  });

  it.each(['', 'x'.repeat(65), 'a b', '\u001b[31m', '<script>', state, code, code.slice(2)])(
    'does not quote the malformed error code %j',
    (text) => {
      const error = failure(`${own}&error=${encodeURIComponent(text)}`);
      expect(error).toMatchObject({ reason: 'denied', oauthError: undefined });
      if (text !== '') expect(error.message).not.toContain(text);
    },
  );
});
