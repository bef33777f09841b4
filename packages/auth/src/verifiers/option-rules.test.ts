import { describe, expect, it } from 'vitest';
import { requireAlgorithms, type SigningAlgorithm } from './option-rules.js';

describe('requireAlgorithms', () => {
  it('accepts signature algorithms with a private key', () => {
    expect(requireAlgorithms('it', ['ES256', 'RS256'])).toEqual(new Set(['ES256', 'RS256']));
  });

  it.each(['none', 'None', 'HS256', 'HS512', 'dir', 'es256', '__proto__'])('rejects %s', (name) => {
    expect(() => requireAlgorithms('it', ['ES256', name as SigningAlgorithm])).toThrow(TypeError);
  });

  it('rejects an empty list', () => {
    expect(() => requireAlgorithms('it', [])).toThrow('it: algorithms must be one or more of ES256,');
  });
});
