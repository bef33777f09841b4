import { revisions } from '@tenon/mcp-protocol';
import {
  revision20241105,
  revision20250326,
  revision20251125,
  revision20260728,
} from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { lasting } from './session-opener.js';

it('a handshake is begun with the newest revision that has one, however it ended before', () => {
  shows('2024-11-05/basic/lifecycle/client-latest');
  const older = { revision: revision20241105, older: true };
  expect(lasting(older, revisions)).toEqual({ revision: revision20251125, older: true });
  expect(lasting(older, [revision20250326])).toEqual({ revision: revision20250326, older: true });
  const stateless = { revision: revision20260728, older: false };
  expect(lasting(stateless, revisions)).toBe(stateless);
});
