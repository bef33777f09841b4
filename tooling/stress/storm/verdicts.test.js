import { describe, expect, test } from 'vitest';
import { ProxyCounts } from '../faults/fault-proxy.js';
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

  test('fails when no stream was resumed', () => {
    const found = findings();
    found.proxy.resumptions = 0;
    expect(failed(found)).toEqual(['streams were resumed, and events sent again']);
  });
});

/** @param {import('./storm.js').Findings} found */
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
    unnotified: [],
    ends: { server: end, callers: end },
  };
  return found;
}

/** @param {number} heap */
function left(heap) {
  return { heap, rss: 0, sockets: 0, resources: { PipeWrap: 1 }, timers: [] };
}
