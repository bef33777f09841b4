import { describe, expect, test } from 'vitest';
import { ProxyCounts } from '../../faults/fault-proxy.js';
import { Handling, Ledger } from './ledger.js';
import { verdictsOf } from './verdicts.js';

describe('verdictsOf', () => {
  test('passes a successful storm', () => {
    expect(failed(findings())).toEqual([]);
  });

  test('fails when the server handled a call twice that may not be repeated', () => {
    const found = findings();
    found.handled[11] = 2;
    expect(failed(found)).toEqual(['no call is handled twice']);
    found.ledger.handling[11] = Handling.repeatable;
    expect(failed(found)).toEqual([]);
  });

  test('fails when a caller has an answer that the server never sent', () => {
    const found = findings();
    found.handled[11] = 0;
    expect(failed(found)).toEqual(['the server handled every call with a right answer']);
  });

  test('fails for each fault that the callers recorded', () => {
    const found = findings();
    found.ledger.recordFault('hole in ticks', '3 after 1');
    found.ledger.recordFault('untyped error', 'TypeError');
    expect(failed(found)).toEqual([
      'every call ends with its right answer or a typed error',
      'streams lose nothing',
    ]);
  });

  test('fails when heap, a timer, a session or a process is left', () => {
    const found = findings();
    const [server, callers] = found.processes;
    Object.assign(server ?? {}, { after: left(1_051), end: null });
    Object.assign(callers ?? {}, { after: { ...left(1_050), timers: [500] } });
    found.open.sessions = 1;
    expect(failed(found)).toEqual([
      'the heap of the server process grows by no more than 5 %',
      'no session and no socket outlives its caller',
      'no socket, timer, process or other handle is left in the callers process',
      'the server process ends by itself',
    ]);
  });

  test('fails when no stream was resumed', () => {
    const found = findings();
    found.proxy.resumptions = 0;
    expect(failed(found)).toEqual(['streams were resumed, and events sent again']);
  });
});

/** @type {[string, (findings: any) => void, string][]} */
const problems = [
  ['a call without an end', ({ ledger }) => ledger.recordFault('no end', ''), 'every call ends'],
  ['a wrong answer', ({ ledger }) => ledger.recordFault('wrong answer', ''), 'every call ends'],
  [
    'an error on an unbroken path',
    ({ ledger }) => ledger.recordFault('unexplained error', ''),
    'broken connections explain every error',
  ],
  [
    'two answers',
    ({ ledger }) => ledger.recordFault('answered twice on the wire', ''),
    'nothing is delivered twice',
  ],
  ['a call handled twice', ({ handled }) => handled.set([2], 11), 'no call is handled twice'],
  ['an answer from nowhere', ({ handled }) => handled.set([0], 11), 'the server handled every call'],
  ['a hole', ({ ledger }) => ledger.recordFault('hole in progress', ''), 'streams lose nothing'],
  [
    'an input request too many',
    ({ ledger }) => ledger.recordFault('input request of another call', ''),
    'no caller gets data',
  ],
  [
    'a caller that is gone',
    ({ ledger }) => ledger.recordFault('not alive after the storm', ''),
    'every caller is connected',
  ],
  ['nothing that broke', ({ ledger }) => Object.assign(ledger, { messageFaults: 0 }), 'messages were lost'],
  ['an unhandled rejection', ({ found }) => Object.assign(found.unhandled, { oh: 1 }), 'no rejection'],
  ['an error of no family', ({ found }) => Object.assign(found.untyped, { oh: 1 }), 'no error without'],
  ['a conversation that goes on', ({ open }) => Object.assign(open, { sessions: 1 }), 'no session'],
  ['a timer', ({ after }) => Object.assign(after, { timers: [5] }), 'no socket, timer'],
  ['a socket', ({ after }) => Object.assign(after, { sockets: 1 }), 'no socket, timer'],
  ['a process', ({ after }) => Object.assign(after, { resources: { ProcessWrap: 1 } }), 'no socket, timer'],
  [
    'a larger heap',
    ({ after }) => Object.assign(after, { heap: 1_060 }),
    'the heap of the soak process grows',
  ],
];

test.each(problems)('finds %s in one process', (_, spoil, claim) => {
  const found = findings();
  found.scenario = 'soak';
  Object.assign(found.ledger, { messageFaults: 3, events: { 'connections replaced': 2 } });
  found.proxy.faults.reset = 2;
  found.processes = [{ name: 'soak', before: left(1_000), after: left(1_050) }];
  expect(failed(found)).toEqual([]);
  const [{ after }] = /** @type {[any]} */ (found.processes);
  spoil({ ...found, after, found: after.found });
  expect(failed(found)).toEqual([expect.stringContaining(claim)]);
});

/** @param {import('../storm.js').Findings} found */
function failed(found) {
  return verdictsOf(found).flatMap(({ claim, holds }) => (holds ? [] : [claim]));
}

/** Returns the findings of a successful storm with one call, number 11. */
function findings() {
  const ledger = new Ledger();
  ledger.first = 10;
  ledger.last = 10;
  ledger.isRight(ledger.number('quick'), 'quick');
  const handled = new Uint8Array(12);
  handled[11] = 1;
  const proxy = new ProxyCounts();
  proxy.resumptions = 1;
  const end = { code: 0, signal: null };
  /** @type {import('../storm.js').Findings} */
  const found = {
    scenario: 'http',
    ledger,
    handled,
    proxy,
    server: { replays: 1, replayed: 1, incomplete: 0 },
    processes: ['server', 'callers'].map((name) => ({ name, before: left(1_000), after: left(1_000), end })),
    open: { sessions: 0, sockets: 0 },
    unnotified: [],
    seconds: 1,
  };
  return found;
}

/** @param {number} heap */
function left(heap) {
  const found = { unhandled: {}, untyped: {}, typed: {} };
  return { heap, rss: 0, sockets: 0, resources: { PipeWrap: 1 }, timers: [], found };
}
