import { revisions } from '@tenon/mcp-protocol';
import {
  revision20241105,
  revision20250326,
  revision20251125,
  revision20260728,
} from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { lasting, Verdicts } from './session-opener.js';

it('no more servers are remembered than may be, the newest longest', () => {
  const verdicts = new Verdicts(2);
  const verdict = { revision: revision20251125, older: false };
  for (const name of ['a', 'b', 'a', 'c']) verdicts.set(name, verdict);
  expect(['a', 'b', 'c'].map((name) => verdicts.get(name) !== undefined)).toEqual([true, false, true]);
  verdicts.delete('a');
  expect(verdicts.get('a')).toBeUndefined();
});

it('a handshake is begun with the newest revision that has one, however it ended before', () => {
  shows('2024-11-05/basic/lifecycle/client-latest');
  const older = { revision: revision20241105, older: true };
  expect(lasting(older, revisions)).toEqual({ revision: revision20251125, older: true });
  expect(lasting(older, [revision20250326])).toEqual({ revision: revision20250326, older: true });
  const stateless = { revision: revision20260728, older: false };
  expect(lasting(stateless, revisions)).toBe(stateless);
});
