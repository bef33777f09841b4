import { describe, expect, it } from 'vitest';
import { clusterResultsOf } from '../cluster/results.js';
import { clusterCell } from '../cluster/test/cells.js';
import { resultsOf } from './results.js';
import { cell } from './test/cells.js';
import { verdictLines } from './verdict-lines.js';
import { isFailure, verdictsOf } from './verdicts.js';

const good = [cell('floor', [10]), cell('tenon', [11]), cell('tmcp', [60])];

/** @returns {import('../footprint/results.js').FootprintResult} */
function idle(/** @type {'tenon' | 'tmcp'} */ contender, /** @type {number} */ value) {
  const met = contender === 'tenon' ? { target: 1_024, met: value <= 1_024 } : {};
  const row = /** @type {const} */ ({ id: 'idle', title: 'Idle session', unit: 'bytes', better: 'lower' });
  return { ...row, contender, label: contender, value, ...met };
}

describe('verdictsOf', () => {
  it('returns no failure for a good run', () => {
    const verdicts = verdictsOf(resultsOf(good), [idle('tenon', 900)]);
    expect(verdicts).toEqual({
      voids: [],
      missed: [],
      known: [],
      behind: [],
      tenfold: undefined,
      remarks: [],
    });
    expect(isFailure(verdicts, false)).toBe(false);
  });

  it('returns a missed target, which a lenient run tolerates', () => {
    const verdicts = verdictsOf(resultsOf([cell('floor', [10]), cell('tenon', [14])]), [
      idle('tenon', 1_200),
    ]);
    expect(verdicts.missed).toEqual([
      'Call in a session, Tenon, 64 in flight: 1.40 (1.40-1.40), target 1.3',
      'Idle session, tenon: 1200 B, target 1024 B',
    ]);
    expect(isFailure(verdicts, false)).toBe(true);
    expect(isFailure(verdicts, true)).toBe(false);
  });

  it('returns a host that takes more than 1.3 times the CPU of a client, and none that takes less than a client', () => {
    const verdictOf = (/** @type {number} */ cpu) =>
      verdictsOf(resultsOf([...good.slice(0, 2), cell('tenon-host', [cpu])]), []);
    expect(verdictOf(14.4).missed).toEqual([
      'Call in a session, Tenon, host, 64 in flight: 1.31 (1.31-1.31) times the CPU of a client, target 1.3',
    ]);
    expect(verdictOf(14.2)).toMatchObject({ missed: [], behind: [] });
    expect(verdictOf(10.5)).toMatchObject({ missed: [], behind: [] });
  });

  it('tolerates a recorded miss within its bounds', () => {
    const known = { page: 'docs/why.md', most: 1_100 };
    const text = 'Idle session, tenon: 1100 B, target 1024 B; docs/why.md';
    expect(verdictsOf([], [{ ...idle('tenon', 1_100), known }])).toMatchObject({ missed: [], known: [text] });
    const grown = verdictsOf([], [{ ...idle('tenon', 1_101), known }]);
    expect(grown).toMatchObject({ missed: ['Idle session, tenon: 1101 B, target 1024 B'], known: [] });
    expect(isFailure(grown, false)).toBe(true);
  });

  it('returns missed targets, faster peers and failures of clusters', () => {
    const cluster = clusterResultsOf([
      clusterCell('tenon memory 1', [20]),
      clusterCell('tenon redis 1', [30], { target: 1.15 }),
      clusterCell('tmcp redis 1', [15]),
      clusterCell('tmcp redis 2', [], { error: 'status 500' }),
    ]);
    const verdicts = verdictsOf([], [], cluster);
    const row = 'Cluster: call in a known session';
    expect(verdicts).toMatchObject({
      missed: [
        `${row}, Tenon, Redis, 1 process: 1.50 (1.50-1.50) times the CPU of state in memory, target 1.15`,
      ],
      behind: [`${row}, tmcp, Redis, 1 process: 0.50 (0.50-0.50) times Tenon's CPU`],
      voids: [`${row}, tmcp, Redis, 2 processes: status 500`],
    });
    expect(isFailure(verdicts, true)).toBe(true);
  });

  it('returns a peer that is faster', () => {
    const verdicts = verdictsOf(resultsOf([...good, cell('mcp-lite', [9.9])]), []);
    expect(verdicts.behind).toEqual([
      "Call in a session, mcp-lite, 64 in flight: 0.90 (0.90-0.90) times Tenon's CPU",
    ]);
    expect(isFailure(verdicts, false)).toBe(true);
    expect(isFailure(verdicts, true)).toBe(false);
  });

  it('fails without a figure, even when lenient', () => {
    const verdicts = verdictsOf(resultsOf([...good, cell('fastmcp', [], { error: 'status 500' })]), []);
    expect(verdicts.voids).toEqual(['Call in a session, FastMCP, 64 in flight: status 500']);
    expect(isFailure(verdicts, true)).toBe(true);
  });

  it('mentions a peer with a smaller footprint without failing', () => {
    const verdicts = verdictsOf([], [idle('tenon', 1_000), idle('tmcp', 900)]);
    expect(verdicts.remarks).toEqual(['Idle session: tmcp 900 B, Tenon 1000 B']);
    expect(isFailure(verdicts, false)).toBe(false);
  });

  it('requires ten times less CPU than official 2.x without sessions', () => {
    const run = (/** @type {number} */ cost) =>
      verdictsOf(
        resultsOf(
          ['http-sessionless', 'http-stateless'].flatMap((row) => [
            cell('floor', [10], { row }),
            cell('tenon', [10], { row }),
            cell('official-2', [row === 'http-stateless' ? cost : 200], { row }),
          ]),
        ),
        [],
      );
    expect(run(101).tenfold).toMatchObject({ holds: true });
    expect(run(99).tenfold).toMatchObject({ holds: false });
    expect(run(99).tenfold?.figures).toEqual([
      'Call without a session, official 2.x, 64 in flight: 20.0 times (20.0-20.0)',
      'Call, 2026-07-28, official 2.x, 64 in flight: 9.90 times (9.90-9.90)',
    ]);
    expect(isFailure(run(99), false)).toBe(true);
    expect(isFailure(run(99), true)).toBe(false);
  });
});

describe('verdictLines', () => {
  const plain = { good: String, bad: String };

  it('lists the failures under each claim', () => {
    const lines = verdictLines(verdictsOf(resultsOf([...good, cell('mcp-lite', [9.9])]), []), plain);
    expect(lines).toEqual([
      'ok: every answer was right, and no contender failed',
      'ok: every target is met',
      'NOT: no peer takes less CPU than Tenon',
      "  Call in a session, mcp-lite, 64 in flight: 0.90 (0.90-0.90) times Tenon's CPU",
    ]);
  });
});
