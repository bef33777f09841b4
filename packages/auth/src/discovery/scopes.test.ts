import { describe, expect, it } from 'vitest';
import { declaredScopes, includesAll, maxScopes, selectScopes, splitScopes, unionOf } from './scopes.js';

const nothing = { resource: undefined, server: undefined, offline: true };

describe('selectScopes', () => {
  it('selects the scopes of the challenge, whatever the resource lists', () => {
    expect(selectScopes({ ...nothing, challenged: ['write'], resource: ['read', 'admin'] })).toEqual([
      'write',
    ]);
  });

  it.each([[undefined], [[]]])(
    'selects the scopes of the resource if the challenge names %j',
    (challenged) => {
      expect(selectScopes({ ...nothing, challenged, resource: ['read', 'list'] })).toEqual(['read', 'list']);
    },
  );

  it.each([[undefined], [[]]])(
    'selects none if neither challenge nor resource names any (%j)',
    (resource) => {
      expect(selectScopes({ ...nothing, resource, server: ['openid', 'offline_access'] })).toBeUndefined();
    },
  );

  it('adds the scopes of earlier requests and of the options', () => {
    const facts = { ...nothing, challenged: ['write'], earlier: ['read', 'write'], further: ['mail'] };
    expect(selectScopes(facts)).toEqual(['write', 'read', 'mail']);
  });

  it.each([
    ['is not requested', { server: ['read', 'offline_access'] }, true],
    ['is not listed', { server: ['read'] }, false],
    ['is unknown, because the authorization server lists no scopes', { server: undefined }, false],
    ['is not requested', { server: ['offline_access'], offline: false }, false],
  ])('adds offline_access only if it %s', (_, facts, isAsked) => {
    const asked = selectScopes({ ...nothing, resource: ['read'], ...facts });
    expect(asked).toEqual(isAsked ? ['read', 'offline_access'] : ['read']);
  });

  it('takes offline_access only from the authorization server', () => {
    const offline_access = ['offline_access'];
    const facts = {
      challenged: ['read', ...offline_access],
      earlier: offline_access,
      further: offline_access,
    };
    expect(selectScopes({ ...nothing, ...facts, server: ['read'] })).toEqual(['read']);
    expect(selectScopes({ ...nothing, challenged: offline_access, server: ['read'] })).toBeUndefined();
  });

  it('drops malformed scopes, and scopes past the bound', () => {
    const odd = ['read', 'a b', 'a"b', 'a\\b', '', 'a\r\nb', '\u00e4', 'x'.repeat(257), 'read'];
    expect(selectScopes({ ...nothing, challenged: odd })).toEqual(['read']);
    const many = Array.from({ length: maxScopes + 50 }, (_, index) => `scope-${index}`);
    expect(selectScopes({ ...nothing, challenged: many })).toEqual(many.slice(0, maxScopes));
  });
});

it('unionOf returns each scope once, in order', () => {
  expect(unionOf(['b', 'a'], ['a', 'c'], [])).toEqual(['b', 'a', 'c']);
});

it('includesAll is false if a scope is missing', () => {
  expect(includesAll(['a', 'b'], ['b'])).toBe(true);
  expect(includesAll([], [])).toBe(true);
  expect(includesAll(['a'], ['a', 'b'])).toBe(false);
});

describe('declaredScopes', () => {
  it('returns the requested scopes, and those of the resource that the authorization server lists', () => {
    const resource = ['a', 'b', 'c'];
    expect(declaredScopes({ asked: ['x', 'a'], resource, server: undefined })).toEqual(['x', 'a', 'b', 'c']);
    expect(declaredScopes({ asked: ['x'], resource, server: ['b', 'offline_access'] })).toEqual(['x', 'b']);
    expect(declaredScopes({ asked: ['x'], resource: undefined, server: undefined })).toEqual(['x']);
  });

  it('returns undefined if no scopes are requested', () => {
    expect(declaredScopes({ asked: undefined, resource: undefined, server: ['a'] })).toBeUndefined();
  });
});

describe('splitScopes', () => {
  it.each([
    [['repo,gist'], ['repo', 'gist'], ['repo', 'gist']],
    [['repo,gist', 'user'], undefined, ['repo', 'gist', 'user']],
    [['read:a,b'], ['read:a,b'], ['read:a,b']],
    [['a', ','], undefined, ['a']],
    [undefined, ['a'], undefined],
  ])('reads %j, for the requested scopes %j, as %j', (header, asked, scopes) => {
    expect(splitScopes(header, asked)).toEqual(scopes);
  });
});
