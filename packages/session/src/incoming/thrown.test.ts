import { ErrorCode, RpcError, revisions, SessionError, TransportError } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { MissingCapabilityError, toWireError } from './thrown.js';

test('errors that are not for the peer are not sent', () => {
  shows('2026-07-28/basic/index/local-errors');
  for (const thrown of [
    new Error('x'),
    new SessionError('timeout', 'x'),
    new TransportError('x'),
    'x',
    undefined,
  ]) {
    expect(toWireError(thrown, revision20251125)).toBeUndefined();
  }
});

describe('a missing capability', () => {
  const error = new MissingCapabilityError({ elicitation: {} }, 'Needs elicitation.');

  test.each(revisions)('has a code and names what is missing in $id', (revision) => {
    showsBy(revision.id, { '2026-07-28': '2026-07-28/basic/index/defined-codes-meaning' });
    expect(toWireError(error, revision)).toEqual({
      code: -32_021,
      message: 'Needs elicitation.',
      data: { requiredCapabilities: { elicitation: {} } },
    });
  });
});

describe.each(revisions)('codes in $id', (revision) => {
  const spoken = (code: number) => toWireError(new RpcError(code, 'm', { data: { uri: 'x' } }), revision);

  test('not found', () => {
    const code = revision === revision20260728 ? -32_602 : -32_002;
    expect(spoken(ErrorCode.resourceNotFound)).toEqual({ code, message: 'm', data: { uri: 'x' } });
  });

  test('URL elicitation required is said in one revision alone', () => {
    showsBy(revision.id, { '2026-07-28': '2026-07-28/basic/index/retired-codes' });
    expect(spoken(ErrorCode.urlElicitationRequired)).toEqual(
      revision === revision20251125
        ? { code: -32_042, message: 'm', data: { uri: 'x' } }
        : { code: -32_600, message: 'm' },
    );
  });

  test.each([-32_099, -32_050, -32_041, -32_023])('%i is not for us to give a meaning', (code) => {
    showsBy(`${code} ${revision.id}`, {
      '-32099 2026-07-28': '2026-07-28/basic/index/reserved-codes',
      '-32050 2026-07-28': '2026-07-28/basic/index/reserved-codes',
      '-32023 2026-07-28': '2026-07-28/basic/index/reserved-codes',
    });
    expect(spoken(code)).toEqual({ code: -32_603, message: 'm', data: { uri: 'x' } });
  });

  test.each([-32_100, -32_020, -32_021, -32_022, -32_019, -32_000, -32_602, -31_001, 1])(
    '%i stands',
    (code) => {
      expect(spoken(code)).toEqual({ code, message: 'm', data: { uri: 'x' } });
    },
  );
});
