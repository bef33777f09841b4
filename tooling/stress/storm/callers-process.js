// The callers of the storm, in a process of their own.
import { serveCommands } from '../children/commands.js';
import { complain, unhandled } from '../children/complaints.js';
import { CountedClock } from '../children/counted-clock.js';
import { holdings } from '../children/holdings.js';
import { randomOf } from '../faults/random.js';
import { Caller } from './caller.js';
import { familyOf } from './known-errors.js';
import { Ledger } from './ledger.js';

/** The revisions with sessions over Streamable HTTP, in turn. Every second stateless caller negotiates. */
const sessionRevisions = ['2025-11-25', '2025-06-18', '2025-03-26'];
const statelessRevisions = ['2026-07-28', undefined];

const found = { unhandled: unhandled(), untyped: {}, typed: {} };
const clock = new CountedClock();
let ledger = new Ledger();
/** @type {Caller[]} */
let callers = [];

serveCommands({
  begin({ url, seed, sessions, stateless, first }) {
    ledger = new Ledger();
    ledger.first = first;
    ledger.last = first;
    const setup = { url, ledger, clock, onError };
    callers = [
      ...some(sessions, sessionRevisions, { setup, seed }),
      ...some(stateless, statelessRevisions, { setup, seed: seed + 1 }),
    ];
  },
  run: async ({ seconds }) => {
    const until = performance.now() + seconds * 1_000;
    await Promise.all(callers.map((caller) => caller.run(until)));
  },
  calls: () => ({ calls: ledger.last, rights: ledger.right, errors: ledger.errors }),
  calm: async () => {
    await Promise.all(callers.map((caller) => caller.calm()));
  },
  changesReceived: () => callers.map((caller) => caller.changesReceived),
  standings: ({ indexes }) => indexes.map((/** @type {number} */ index) => callers[index]?.standing),
  close: async () => {
    await Promise.all(callers.map((caller) => caller.close()));
    callers = [];
    const { outcomes, handling, last, ...counts } = ledger;
    return { ...counts, last, outcomes: outcomes.slice(0, last + 1), handling: handling.slice(0, last + 1) };
  },
  forget() {
    ledger = new Ledger();
  },
  left: async () => ({ ...(await holdings()), timers: clock.waiting, found }),
});

/**
 * @param {number} count
 * @param {readonly (string | undefined)[]} revisions
 * @param {{ setup: import('./caller.js').CallerSetup, seed: number }} shared
 */
function some(count, revisions, { setup, seed }) {
  return Array.from(
    { length: count },
    (_, index) => new Caller(setup, revisions[index % revisions.length], randomOf(seed, index)),
  );
}

/**
 * @param {unknown} error
 * @param {string} where
 */
function onError(error, where) {
  complain(familyOf(error) === undefined ? found.untyped : found.typed, error, where);
}
