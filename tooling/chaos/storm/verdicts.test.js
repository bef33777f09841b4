import { describe, expect, test } from 'vitest';
import { ProxyCounts } from '../faults/fault-proxy.js';
import { Handling, Ledger } from './ledger.js';
import { verdictsOf } from './verdicts.js';

describe('the verdicts on a storm', () => {
  test('hold when nothing speaks against them', () => {
    expect(failed(findings())).toEqual([]);
  });

  test('fail for a call the server handled twice, unless it may be repeated', () => {
    const found = findings();
    found.handled[11] = 2;
    expect(failed(found)).toEqual(['no call is handled twice']);
    found.ledger.handling[11] = Handling.repeatable;
    expect(failed(found)).toEqual([]);
  });

  test('fail for a right answer that the server never gave', () => {
    const found = findings();
    found.handled[11] = 0;
    expect(failed(found)).toEqual(['every right answer is of a call the server handled']);
  });

  test('fail for whatever the callers blame', () => {
    const found = findings();
    found.ledger.blame('hole in ticks', '3 after 1');
    found.ledger.blame('untyped error', 'TypeError');
    expect(failed(found)).toEqual([
      'every call ends with its right answer or a typed error',
      'streams lose nothing',
    ]);
  });

  test('fail when something is left: heap, a timer, a session, a process', () => {
    const found = findings();
    found.holdings.server.after = left(1_051);
    found.holdings.callers.after = { ...left(1_050), timers: [500] };
    found.open.sessions = 1;
    found.ends.server = undefined;
    expect(failed(found)).toEqual([
      'the heap of the server process grows by no more than 5 %',
      'no session and no socket outlives its caller',
      'no socket and no timer is left in the callers process',
      'the server process ends by itself',
    ]);
  });

  test('fail when nothing was resumed', () => {
    const found = findings();
    found.proxy.resumptions = 0;
    expect(failed(found)).toEqual(['streams were resumed, and events given again']);
  });
});

/** @param {import('./storm.js').Findings} found */
function failed(found) {
  return verdictsOf(found).flatMap(({ claim, holds }) => (holds ? [] : [claim]));
}

/** A storm in which all went well: one call, with the number 11. */
function findings() {
  const ledger = new Ledger();
  ledger.first = 10;
  ledger.last = 10;
  ledger.isRight(ledger.number('quick'), 'quick');
  const handled = new Uint8Array(12);
  handled[11] = 1;
  const nothing = { unhandled: {}, untyped: {}, typed: {} };
  const proxy = new ProxyCounts();
  proxy.resumptions = 1;
  const end = { code: 0, signal: null };
  const both = () => ({ before: left(1_000), after: left(1_000) });
  /** @type {import('./storm.js').Findings} */
  const found = {
    ledger,
    handled,
    proxy,
    server: { found: nothing, replays: 1, replayed: 1, incomplete: 0 },
    callersFound: nothing,
    holdings: { server: both(), callers: both() },
    open: { sessions: 0, sockets: 0 },
    deaf: [],
    ends: { server: end, callers: end },
  };
  return found;
}

/** @param {number} heap */
function left(heap) {
  return { heap, rss: 0, sockets: 0, resources: { PipeWrap: 1 }, timers: [] };
}
