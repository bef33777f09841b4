import { revisions } from '@tenon/mcp-protocol';
import { revision20241105, revision20250618, revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { answerVersion, noCommon, refuseHandshake } from './negotiation.js';

const old = [revision20250618, revision20241105];

test.each([
  ['2025-11-25', revisions, '2025-11-25'],
  ['2025-06-18', revisions, '2025-06-18'],
  ['2025-03-26', revisions, '2025-03-26'],
  ['2024-11-05', revisions, '2024-11-05'],
  ['2026-07-28', revisions, '2025-11-25'],
  ['1.0.0', revisions, '2025-11-25'],
  ['', revisions, '2025-11-25'],
  ['2025-11-25', old, '2025-06-18'],
  ['2024-11-05', old, '2024-11-05'],
  ['2025-11-25', [revision20260728], undefined],
])('asked for %j a server answers with what it has', (requested, supported, answered) => {
  expect(answerVersion(requested, supported)?.id).toBe(answered);
});

test('names both ends, and cuts a long list, when there is no revision in common', () => {
  expect(noCommon(['1.0.0'], old)).toBe(
    'The server offers 1.0.0; this client speaks 2025-06-18, 2024-11-05.',
  );
  expect(noCommon([], old)).toBe('The server offers none; this client speaks 2025-06-18, 2024-11-05.');
  expect(noCommon(Array(10_000).fill('x'.repeat(10_000)), old).length).toBeLessThan(1_000);
});

test('the refusal of a handshake names what is spoken in words as well', () => {
  shows('2026-07-28/basic/versioning/modern-only-names-versions');
  const error = refuseHandshake('2025-11-25', [revision20260728]);
  expect(error.message).toContain('2026-07-28');
  expect(error.data).toEqual({ supported: ['2026-07-28'], requested: '2025-11-25' });
});
