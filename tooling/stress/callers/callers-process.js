// The callers of one side, in a process of their own.
import { serveCommands } from '../children/commands.js';
import { complain, unhandled } from '../children/complaints.js';
import { randomOf } from '../faults/random.js';
import { familyOf } from '../storm/findings/known-errors.js';
import { Caller } from './caller.js';
import { clientKindsOf } from './client-kinds.js';
import { ClusterLedger } from './cluster-ledger.js';
import { flood } from './flood.js';

const found = { unhandled: unhandled(), untyped: {}, typed: {} };
const ledger = new ClusterLedger();
/** @type {Caller[]} */
let callers = [];
/** @type {import('./caller.js').CallerSetup | undefined} */
let setup;
let floods = false;

serveCommands({
  begin({ url, seed, side, clients, first, only }) {
    ledger.first = first;
    ledger.last = first;
    setup = { url, ledger, only, onError };
    floods = side === 'tenon' && (only.length === 0 || only.includes('rates'));
    callers = clientKindsOf(side, clients).flatMap((clientKind, index) =>
      clientKind === undefined
        ? []
        : [new Caller(setup ?? given(), clientKind, { index, random: randomOf(seed, index) })],
    );
    return callers.length;
  },
  open: async () => {
    await Promise.all(callers.map((caller) => caller.connected()));
  },
  run: async ({ seconds, floods: mayFlood }) => {
    const until = performance.now() + seconds * 1_000;
    const runs = callers.map((caller) => caller.run(until));
    await Promise.all(floods && mayFlood ? [...runs, flood(setup ?? given(), until)] : runs);
  },
  calls: () => ledger.last - ledger.first,
  calm: async () => {
    await Promise.all(callers.map((caller) => caller.calm()));
  },
  close: async () => {
    await Promise.all(callers.map((caller) => caller.close()));
    callers = [];
  },
  found: () => {
    const { outcomes: _, handling: __, ...rest } = ledger;
    return { ...rest, found };
  },
});

/** @returns {never} */
function given() {
  throw new Error('Send "begin" first.');
}

/**
 * @param {unknown} error
 * @param {string} where
 */
function onError(error, where) {
  const isTyped = typeof error === 'string' || familyOf(error) !== undefined;
  complain(isTyped ? found.typed : found.untyped, String(error).replace(/\d{4,}|[\w-]{20,}/g, '#'), where);
}
