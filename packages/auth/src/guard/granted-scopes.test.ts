import { describe, expect, it } from 'vitest';
import { GrantedScopes } from './granted-scopes.js';

describe('GrantedScopes.expanded', () => {
  it('returns the granted scopes if they include no others', () => {
    expect(new GrantedScopes().expanded(['a', 'b'])).toEqual(['a', 'b']);
  });

  it('adds all scopes that they include', () => {
    const scopes = new GrantedScopes({ implies: { admin: ['write'], write: ['read', 'list'] } });
    expect(scopes.expanded(['admin'])).toEqual(['admin', 'write', 'read', 'list']);
    expect(scopes.expanded(['write', 'read'])).toEqual(['write', 'read', 'list']);
    expect(scopes.expanded(['read', 'x'])).toEqual(['read', 'x']);
  });

  it('ends for scopes that include each other', () => {
    const scopes = new GrantedScopes({ implies: { a: ['b'], b: ['c', 'a'], c: ['a'] } });
    expect(scopes.expanded(['b'])).toEqual(['b', 'c', 'a']);
  });

  it.each(['__proto__', 'constructor', 'toString'])('accepts the scope name %s', (name) => {
    expect(new GrantedScopes({ implies: { a: ['b'] } }).expanded([name])).toEqual([name]);
  });
});

describe('required scopes', () => {
  it('come first in with(), without duplicates', () => {
    expect(new GrantedScopes(['a', 'b', 'a']).with(['c', 'b'])).toEqual(['a', 'b', 'c']);
  });

  it('are the supported scopes by default', () => {
    expect(new GrantedScopes(['a']).supported).toEqual(['a']);
    expect(new GrantedScopes({ required: ['a'], supported: ['b', 'b'] }).supported).toEqual(['b']);
    expect(new GrantedScopes({ required: [], supported: [] }).supported).toBeUndefined();
    expect(new GrantedScopes().supported).toBeUndefined();
  });
});

describe('GrantedScopes options', () => {
  it.each<[object, RegExp]>([
    [['a b'], /required must be a list of scopes/],
    [{ required: 'a' }, /required must be a list of scopes/],
    [{ supported: ['"'] }, /supported must be a list of scopes/],
    [['offline_access'], /offline_access.*authorization server/],
    [{ supported: ['a', 'offline_access'] }, /offline_access/],
    [{ implies: { a: 'b' } }, /implies must be an object/],
    [{ implies: { 'a b': ['c'] } }, /implies must be an object/],
    [{ implies: { a: ['offline_access'] } }, /implies must be an object/],
    [{ requires: ['a'] }, /no option "requires".*"required"/],
  ])('rejects %j', (given, message) => {
    expect(() => new GrantedScopes(given)).toThrow(TypeError);
    expect(() => new GrantedScopes(given)).toThrow(message);
  });
});
