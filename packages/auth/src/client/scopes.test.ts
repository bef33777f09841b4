import { describe, expect, it } from 'vitest';
import { apart, declaredScopes, includesAll, maxScopes, selectScopes, unionOf } from './scopes.js';

const nothing = { resource: undefined, server: undefined, offline: true };

describe('selectScopes', () => {
  it('asks for what the challenge names, whatever the resource lists', () => {
    expect(selectScopes({ ...nothing, challenged: ['write'], resource: ['read', 'admin'] })).toEqual([
      'write',
    ]);
  });

  it.each([[undefined], [[]]])(
    'asks for what the resource lists where the challenge names %j',
    (challenged) => {
      expect(selectScopes({ ...nothing, challenged, resource: ['read', 'list'] })).toEqual(['read', 'list']);
    },
  );

  it.each([[undefined], [[]]])('asks for none where nobody names any (%j)', (resource) => {
    expect(selectScopes({ ...nothing, resource, server: ['openid', 'offline_access'] })).toBeUndefined();
  });

  it('asks again for what was asked for before, and for what the user wants besides', () => {
    const facts = { ...nothing, challenged: ['write'], earlier: ['read', 'write'], further: ['mail'] };
    expect(selectScopes(facts)).toEqual(['write', 'read', 'mail']);
  });

  it.each([
    ['is listed by the authorization server', { server: ['read', 'offline_access'] }, true],
    ['is not listed', { server: ['read'] }, false],
    ['might be known, and nothing is listed', { server: undefined }, false],
    ['is not wanted', { server: ['offline_access'], offline: false }, false],
  ])('offline_access where it %s', (_, facts, isAsked) => {
    const asked = selectScopes({ ...nothing, resource: ['read'], ...facts });
    expect(asked).toEqual(isAsked ? ['read', 'offline_access'] : ['read']);
  });

  it('takes offline_access from nobody else than the authorization server', () => {
    const offline_access = ['offline_access'];
    const facts = {
      challenged: ['read', ...offline_access],
      earlier: offline_access,
      further: offline_access,
    };
    expect(selectScopes({ ...nothing, ...facts, server: ['read'] })).toEqual(['read']);
    expect(selectScopes({ ...nothing, challenged: offline_access, server: ['read'] })).toBeUndefined();
  });

  it('leaves out what is no scope, and what is beyond the bound', () => {
    const odd = ['read', 'a b', 'a"b', 'a\\b', '', 'a\r\nb', '\u00e4', 'x'.repeat(257), 'read'];
    expect(selectScopes({ ...nothing, challenged: odd })).toEqual(['read']);
    const many = Array.from({ length: maxScopes + 50 }, (_, index) => `scope-${index}`);
    expect(selectScopes({ ...nothing, challenged: many })).toEqual(many.slice(0, maxScopes));
  });
});

it('unionOf has each scope once, in the order they come', () => {
  expect(unionOf(['b', 'a'], ['a', 'c'], [])).toEqual(['b', 'a', 'c']);
});

it('includesAll tells whether none is missing', () => {
  expect(includesAll(['a', 'b'], ['b'])).toBe(true);
  expect(includesAll([], [])).toBe(true);
  expect(includesAll(['a'], ['a', 'b'])).toBe(false);
});

describe('declaredScopes', () => {
  it('are those that are asked for, and those of the resource that the authorization server has', () => {
    const resource = ['a', 'b', 'c'];
    expect(declaredScopes({ asked: ['x', 'a'], resource, server: undefined })).toEqual(['x', 'a', 'b', 'c']);
    expect(declaredScopes({ asked: ['x'], resource, server: ['b', 'offline_access'] })).toEqual(['x', 'b']);
    expect(declaredScopes({ asked: ['x'], resource: undefined, server: undefined })).toEqual(['x']);
  });

  it('are left to the authorization server where it chooses what is granted', () => {
    expect(declaredScopes({ asked: undefined, resource: undefined, server: ['a'] })).toBeUndefined();
  });
});

describe('apart', () => {
  it.each([
    [['repo,gist'], ['repo', 'gist'], ['repo', 'gist']],
    [['repo,gist', 'user'], undefined, ['repo', 'gist', 'user']],
    [['read:a,b'], ['read:a,b'], ['read:a,b']],
    [['a', ','], undefined, ['a']],
    [undefined, ['a'], undefined],
  ])('takes %j for %j as %j', (told, asked, scopes) => {
    expect(apart(told, asked)).toEqual(scopes);
  });
});
