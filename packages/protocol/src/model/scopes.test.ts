import { describe, expect, it } from 'vitest';
import { InsufficientScopeError, isScope, scopeProblem } from './scopes.js';

describe('the name of a scope', () => {
  it.each(['a', 'notes:write', 'https://example.com/scope', "it's", 'x'.repeat(256), '!#[]~'])(
    '%s is one',
    (scope) => {
      expect(isScope(scope)).toBe(true);
      expect(scopeProblem(scope)).toBeUndefined();
    },
  );

  it.each([
    '',
    ' ',
    'a b',
    'a"b',
    'a\\b',
    'a\r\nb',
    'a\n',
    'ä',
    '\u007f',
    'x'.repeat(257),
    1,
    undefined,
    ['a'],
  ])('%j is none', (scope) => {
    expect(isScope(scope)).toBe(false);
    expect(scopeProblem(scope)).toContain('the name of a scope');
  });

  it('that asks for refresh tokens is none of a server', () => {
    expect(scopeProblem('offline_access')).toContain('authorization server');
  });
});

describe('the error of a caller without enough scopes', () => {
  it('names all required scopes', () => {
    const error = new InsufficientScopeError(['a', 'b']);
    expect(error.scopes).toEqual(['a', 'b']);
    expect(error.toWire()).toMatchObject({
      message: expect.stringContaining('a b'),
      data: { requiredScopes: ['a', 'b'] },
    });
  });

  it.each([[[]], [['a b']], [['a"\r\nSet-Cookie: x']], ['a'], [[undefined]]])(
    'cannot be made of %j: it would end up in a header',
    (scopes) => {
      expect(() => new InsufficientScopeError(scopes as never)).toThrow(TypeError);
    },
  );

  it('does not change with the list it was made of', () => {
    const scopes = ['a'];
    const error = new InsufficientScopeError(scopes);
    scopes.push('b"');
    expect(error.scopes).toEqual(['a']);
  });
});
