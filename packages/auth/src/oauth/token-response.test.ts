import { describe, expect, it } from 'vitest';
import { AuthError } from '../auth-error.js';
import { readTokenResponse } from './token-response.js';

const good = { access_token: 'at-1', token_type: 'Bearer' };

function read(body: unknown) {
  return readTokenResponse(body, 'https://auth.example');
}

describe('readTokenResponse', () => {
  it('reads all members of a token response', () => {
    const body = {
      ...good,
      expires_in: 3600,
      refresh_token: 'rt 1',
      scope: 'notes:read notes:write notes:read',
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      id_token: { ignored: true },
    };
    expect(read(body)).toEqual({
      token: 'at-1',
      tokenType: 'Bearer',
      lifetime: 3_600_000,
      refreshToken: 'rt 1',
      scopes: ['notes:read', 'notes:write'],
      issuedTokenType: 'urn:ietf:params:oauth:token-type:access_token',
    });
  });

  it('treats null and empty members as absent', () => {
    const body = { ...good, expires_in: null, refresh_token: '', scope: null, issued_token_type: null };
    expect(read(body)).toEqual({ token: 'at-1', tokenType: 'Bearer' });
  });

  it.each([
    [60, 60_000],
    ['60', 60_000],
    ['1.5', 1_500],
    [0.0004, 0],
    [0, undefined],
    [1e300, 315_360_000_000],
    [Number.POSITIVE_INFINITY, 315_360_000_000],
    ['99999999999999999999', 315_360_000_000],
    [-1, undefined],
    ['-1', undefined],
    ['soon', undefined],
    ['0x10', undefined],
    [Number.NaN, undefined],
    [{}, undefined],
  ])('reads expires_in %j as %j ms', (expires_in, lifetime) => {
    expect(read({ ...good, expires_in }).lifetime).toBe(lifetime);
  });

  it.each([
    ['notes:read notes:write', ['notes:read', 'notes:write']],
    [
      ['notes:read', 'notes:write mail'],
      ['notes:read', 'notes:write', 'mail'],
    ],
    [['notes:read', 7, null], ['notes:read']],
    ['notes:"read" mail', ['mail']],
    ['notes:read\nnotes:write', []],
    ['', []],
    [3, undefined],
    [{ toString: 'a' }, undefined],
    ['a '.repeat(8_193), undefined],
    [Array.from({ length: 129 }, () => 'a'), undefined],
  ])('reads scope %j as %j', (scope, scopes) => {
    expect(read({ ...good, scope }).scopes).toEqual(scopes);
  });

  it.each([
    ['null', null],
    ['an array', [good]],
    ['a string', 'at-1'],
    ['no JSON', undefined],
    ['no token', { token_type: 'Bearer' }],
    ['an empty token', { ...good, access_token: '' }],
    ['a number for a token', { ...good, access_token: 7 }],
    ['a token in a list', { ...good, access_token: ['at-1'] }],
    ['a token with a line end', { ...good, access_token: 'at-1\r\nx-evil: 1' }],
    ['a token with a line end at its end', { ...good, access_token: 'at-1\n' }],
    ['a token with a space', { ...good, access_token: 'at-1 at-2' }],
    ['a token with a letter that is not ASCII', { ...good, access_token: 'at-\u00e9' }],
    ['a token that is too long for a header', { ...good, access_token: 'a'.repeat(16_385) }],
    ['no type', { access_token: 'at-1' }],
    ['a type that is no text', { ...good, token_type: { toString: 'Bearer' } }],
    ['a refresh token that is not a string', { ...good, refresh_token: 5 }],
    ['a refresh token with a line end', { ...good, refresh_token: 'rt\n1' }],
    ['a refresh token without end', { ...good, refresh_token: 'r'.repeat(16_385) }],
    ['an issued type that is not a string', { ...good, issued_token_type: 1 }],
  ])('rejects %s, without quoting it', (_what, body) => {
    const refusal = expect.objectContaining({ name: 'AuthError', reason: 'unreachable' });
    expect(() => read(body)).toThrow(refusal);
    try {
      read(body);
    } catch (error) {
      expect(error).toBeInstanceOf(AuthError);
      expect((error as AuthError).message).not.toMatch(/at-1|evil|rt|aaaa|notes:/);
      expect((error as AuthError).message.length).toBeLessThan(200);
    }
  });

  it('ignores members of the prototype', () => {
    const body = JSON.parse('{"__proto__":{"access_token":"x","refresh_token":"y"},"token_type":"Bearer"}');
    expect(() => read(body)).toThrow(/access_token is missing/);
    expect(read({ ...body, access_token: 'at-1' }).refreshToken).toBeUndefined();
  });
});
