import { type DiscoverResult, RemoteError, revisions, SessionError } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { type ProbeOutcome, readProbe } from './probe.js';

const [newest] = revisions;
const handshakes = revisions.filter((one) => one.lifecycle === 'handshake');
const stateless = revisions.filter((one) => one.lifecycle === 'stateless');
const probed = newest === undefined ? [] : [newest];

const described = (...supportedVersions: string[]): ProbeOutcome => ({
  kind: 'described',
  result: { supportedVersions, capabilities: {} } as DiscoverResult,
});
const failed = (error: unknown): ProbeOutcome => ({ kind: 'failed', error });
const unsupported = (data: unknown): ProbeOutcome =>
  failed(new RemoteError({ code: -32022, message: 'Unsupported', data }));

// What servers were seen to do, or may do, when they are probed by a client of both kinds.
const table: [string, ProbeOutcome, string, ...string[]][] = [
  [
    'describes itself',
    described('2026-07-28', '2025-11-25'),
    'use 2026-07-28',
    '2026-07-28/basic/transports/stdio/probe',
    '2026-07-28/basic/transports/stdio/probe-described',
  ],
  [
    'describes itself, and speaks revisions to come',
    described('2031-01-01', '2026-07-28'),
    'use 2026-07-28',
    '2026-07-28/basic/transports/stdio/probe-described',
    '2026-07-28/server/discover/choose-version',
  ],
  [
    'describes itself, and has only handshakes in common',
    described('2031-01-01', '2025-06-18'),
    'initialize 2025-06-18',
  ],
  ['describes itself, and has nothing in common', described('2031-01-01'), 'no-common-revision'],
  [
    'names handshakes as supported',
    unsupported({ supported: ['2031-01-01', '2025-03-26'] }),
    'initialize 2025-03-26',
  ],
  [
    'names nothing in common',
    unsupported({ supported: ['2031-01-01'] }),
    'no-common-revision',
    '2026-07-28/basic/transports/stdio/probe-modern-error',
  ],
  [
    'contradicts itself',
    unsupported({ supported: ['2026-07-28'] }),
    'no-common-revision',
    '2026-07-28/basic/transports/stdio/probe-modern-error',
  ],
  ['does not say what it supports', unsupported(undefined), 'initialize 2025-11-25'],
  ['gives a broken list', unsupported({ supported: [1] }), 'initialize 2025-11-25'],
  [
    'does not know the method',
    failed(new RemoteError({ code: -32601, message: 'Method not found' })),
    'initialize 2025-11-25',
    '2026-07-28/basic/transports/stdio/probe-other-error',
  ],
  [
    'does not like the params',
    failed(new RemoteError({ code: -32602, message: 'Invalid params' })),
    'initialize 2025-11-25',
    '2026-07-28/basic/transports/stdio/fallback-any-code',
  ],
  [
    'wants initialize first',
    failed(new RemoteError({ code: -32000, message: 'Server not initialized' })),
    'initialize 2025-11-25',
    '2026-07-28/basic/index/legacy-codes-no-meaning',
  ],
  [
    'breaks inside',
    failed(new RemoteError({ code: -32603, message: 'Internal error' })),
    'initialize 2025-11-25',
    '2026-07-28/basic/transports/stdio/fallback-any-code',
  ],
  [
    'has a code of its own',
    failed(new RemoteError({ code: 0, message: 'no' })),
    'initialize 2025-11-25',
    '2026-07-28/basic/transports/stdio/fallback-any-code',
  ],
  ['answers nonsense', failed(new SessionError('invalid-answer', 'no')), 'initialize 2025-11-25'],
  [
    'says nothing',
    { kind: 'silent' },
    'initialize 2025-11-25',
    '2026-07-28/basic/transports/stdio/probe-other-error',
  ],
  ['dies', failed(new SessionError('closed', 'gone')), 'restart and initialize 2025-11-25'],
  [
    'wants a capability',
    failed(new RemoteError({ code: -32021, message: 'Missing capability' })),
    'error -32021',
  ],
  [
    'sees headers differ',
    failed(new RemoteError({ code: -32020, message: 'Header mismatch' })),
    'error -32020',
  ],
];

function verdictOf(outcome: ProbeOutcome, ours = revisions): string {
  const verdict = readProbe(outcome, { ours, probed });
  if (verdict.step === 'fail') {
    const { error } = verdict;
    return error instanceof RemoteError ? `error ${error.code}` : (error as SessionError).reason;
  }
  const restart = verdict.step === 'initialize' && verdict.restart ? 'restart and ' : '';
  return `${restart}${verdict.step} ${verdict.revision.id}`;
}

describe('a server that, when probed,', () => {
  it.each(table)('%s', (...[, outcome, verdict, ...ids]) => {
    shows(...ids);
    expect(verdictOf(outcome)).toBe(verdict);
  });
});

it('is probed again in another revision without a handshake that it names', () => {
  shows(
    '2026-07-28/basic/transports/stdio/probe-modern-error',
    '2026-07-28/basic/versioning/select-supported',
  );
  const other = { ...(newest as (typeof revisions)[number]), id: '2031-01-01' };
  const verdict = readProbe(unsupported({ supported: ['2031-01-01'] }), { ours: [...probed, other], probed });
  expect(verdict).toEqual({ step: 'probe-again', revision: other });
});

it('falls back only to what the client speaks', () => {
  const error = failed(new RemoteError({ code: -32601, message: 'Method not found' }));
  expect(verdictOf(error, [...stateless])).toBe('no-common-revision');
  expect(verdictOf({ kind: 'silent' }, [...stateless])).toBe('no-common-revision');
  expect(verdictOf(described('2025-03-26'), handshakes.slice(0, 1))).toBe('no-common-revision');
});

it('names both lists when there is nothing in common', () => {
  shows('2026-07-28/basic/versioning/select-supported');
  const verdict = readProbe(described('2031-01-01'), { ours: handshakes, probed });
  expect(verdict.step === 'fail' && String(verdict.error)).toBe(
    'SessionError: The server offers 2031-01-01; this client speaks 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05.',
  );
});
