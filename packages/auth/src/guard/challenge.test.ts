import { describe, expect, it } from 'vitest';
import { challenge, describable, isQuotable } from './challenge.js';

describe('challenge', () => {
  it('quotes the parameters that are defined', () => {
    expect(challenge('Bearer', { error: 'invalid_token', scope: 'a b', realm: undefined })).toBe(
      'Bearer error="invalid_token", scope="a b"',
    );
    expect(challenge('DPoP', {})).toBe('DPoP');
  });

  it.each(['a"b', 'a\\b', 'a\r\nSet-Cookie: x', '\u0000', '\u00e4'])('rejects %j in a parameter', (text) => {
    expect(isQuotable(text)).toBe(false);
    expect(() => challenge('Bearer', { realm: text })).toThrow(TypeError);
  });

  it('describable replaces characters that a quoted string cannot contain', () => {
    expect(describable('no "such"\r\nX: \u00e4\\ user')).toBe('no  such   X:    user');
    expect(describable('x'.repeat(1_000))).toHaveLength(200);
  });
});
