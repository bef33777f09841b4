import { setTimeout as pause } from 'node:timers/promises';
import { firstWithin } from '../children/waiting.js';
import { answerTo } from '../storm/findings/answers.js';
import { errorText, familyOf } from '../storm/findings/known-errors.js';
import { Outcome } from '../storm/findings/ledger.js';
import { hasTasks } from './client-kinds.js';
import { repeatedCall } from './repeated-call.js';
import { presentProof } from './replayed-proof.js';
import { cancelledTask, endedTask } from './task-calls.js';

/** @typedef {import('./caller.js').Caller} Caller */
/** @typedef {import('./connected-client.js').ConnectedClient} ConnectedClient */

/**
 * The messages received for a pending call.
 *
 * @typedef {object} Received
 * @property {number[]} progress
 * @property {number[]} logs
 * @property {import('./task-calls.js').SeenTask} [task] that the call has become
 * @property {() => void} [onTask] called at each change of the task
 */

/**
 * @typedef {object} Making
 * @property {Caller} caller
 * @property {ConnectedClient} connected
 * @property {number} number
 * @property {Received} received
 */

/**
 * The identity that a server must see.
 *
 * @typedef {Pick<Caller, 'name' | 'principal' | 'ledger'>} Expected
 */

/**
 * One kind of call. `run` returns the problem with the answer, and rejects if there is none.
 *
 * @typedef {object} Scenario
 * @property {number} weight
 * @property {(clientKind: import('./client-kinds.js').ClientKind) => boolean} [when] true for the kinds of clients that can run it; default all
 * @property {number} [patience] milliseconds after which the pending call counts as lost
 * @property {(making: Making) => Promise<string | undefined>} run
 */

/** The problem of a call that was not answered in time. */
export const noEnd = 'no end';
/** Milliseconds after which a pending call counts as lost. */
const patience = 30_000;
/** The same for tasks: a task goes on 15 s after its process was killed, and the next process may be killed too. */
const taskPatience = 50_000;
/** Milliseconds until an update must arrive. */
const updateTime = 10_000;

/** @type {Readonly<Record<string, Scenario>>} */
export const scenarios = {
  quick: { weight: 30, run: async (making) => problemOf(await call(making, 'quick'), making) },
  steps: { weight: 12, run: (making) => steps(making) },
  resume: {
    weight: 6,
    when: ({ sessions, transport }) => sessions && transport === 'http',
    run: (making) => steps(making, { cutAt: making.caller.random.whole(2, 8) }),
  },
  cancel: { weight: 6, run: cancel },
  ask: { weight: 14, run: ask },
  read: { weight: 8, run: read },
  update: { weight: 10, run: update },
  level: { weight: 4, when: ({ sessions }) => sessions, run: level },
  batch: {
    weight: 6,
    when: ({ side, revision }) => side === 'tenon' && revision === '2025-03-26',
    run: batch,
  },
  // A call of a session is lost with its process: only calls without a session have a journal.
  repeat: {
    weight: 10,
    when: ({ side, sessions, transport }) => side === 'tenon' && !sessions && transport === 'http',
    run: repeat,
  },
  replay: {
    weight: 6,
    when: ({ side, sessions, transport }) => side === 'tenon' && !sessions && transport === 'http',
    run: replay,
  },
  task: { weight: 8, when: hasTasks, patience: taskPatience, run: (making) => task(making, 'work') },
  'task-ask': { weight: 6, when: hasTasks, patience: taskPatience, run: (making) => task(making, 'review') },
  'task-cancel': { weight: 4, when: hasTasks, patience: taskPatience, run: cancelledTask },
};

/**
 * Returns the weights of the scenarios that a caller can run.
 *
 * @param {Caller} caller
 * @param {readonly string[]} only
 */
export function scenariosOf({ clientKind }, only) {
  const possible = Object.entries(scenarios).filter(
    ([name, { when }]) =>
      (only.length === 0 || only.includes(name)) && (when === undefined || when(clientKind)),
  );
  return Object.fromEntries(possible.map(([name, { weight }]) => [name, weight]));
}

/**
 * Runs one scenario, and records its outcome.
 *
 * @param {Caller} caller
 * @param {ConnectedClient} connected
 * @param {string} kind
 * @returns {Promise<boolean>} true if the answer is right
 */
export async function runScenario(caller, connected, kind) {
  const { ledger } = caller;
  const from = Date.now();
  const number = caller.begins(kind);
  const received = caller.open.get(number) ?? { progress: [], logs: [] };
  const fails = (/** @type {string} */ problem) => {
    const becameTask = received.task !== undefined;
    const gaveUp = caller.gaveUpAt >= from;
    ledger.fails({
      number,
      kind,
      clientKind: caller.clientKind.name,
      problem,
      from,
      to: Date.now(),
      becameTask,
      gaveUp,
    });
    if (received.task !== undefined) caller.left.push({ number, reference: received.task.reference });
  };
  try {
    const { run, patience: ms = patience } = /** @type {Scenario} */ (scenarios[kind]);
    const problem = await firstWithin(run({ caller, connected, number, received }), ms, noEnd);
    if (problem === undefined) ledger.isRight(number, kind);
    else {
      ledger.outcomes[number] = Outcome.wrong;
      fails(problem);
    }
    return problem === undefined;
  } catch (error) {
    const { side, transport } = caller.clientKind;
    const family = familyOf(error);
    ledger.isError(
      number,
      family ?? `${side}: ${error instanceof Error ? error.name : typeof error}`,
      errorText(error),
    );
    if (side === 'tenon' && family === undefined)
      ledger.recordFault('untyped error', `${kind}: ${errorText(error)}`);
    if (side === 'official' && /session not found|no session yet|\b404\b/i.test(errorText(error))) {
      caller.loseSession(error);
      await caller.close();
      // It opens its stream again after the end of a node, but no session.
      if (transport === 'sse') return false;
    }
    fails(errorText(error));
    return false;
  } finally {
    caller.ends(number);
  }
}

/**
 * @param {Making} making
 * @param {string} tool
 * @param {import('./connected-client.js').CallOptions & { given?: Record<string, unknown> }} [options]
 */
function call({ connected, number }, tool, { given = {}, ...options } = {}) {
  return connected.call(tool, { number, ...given }, options);
}

/**
 * @param {Making} making
 * @param {{ cutAt?: number }} [options] the step at which the event streams of the caller are cut
 */
async function steps(making, { cutAt } = {}) {
  const { caller, received } = making;
  const count = caller.random.whole(8, 20);
  const onProgress = (/** @type {{ progress: number }} */ { progress }) => {
    received.progress.push(progress);
    if (progress === cutAt)
      caller.cutStreams().catch((error) => caller.ledger.note(`not cut: ${errorText(error)}`));
  };
  const ms = caller.random.whole(20, 80);
  const problem = problemOf(await call(making, 'steps', { given: { steps: count, ms }, onProgress }), making);
  const whole = Array.from({ length: count }, (_, index) => index + 1).join();
  // An official client over HTTP+SSE drops progress that arrives together with the answer.
  const { side, transport } = caller.clientKind;
  const isEnough = side === 'official' && transport === 'sse' && whole.startsWith(received.progress.join());
  if (received.progress.join() !== whole && !isEnough)
    return `hole in progress: ${received.progress} of ${count}`;
  if (caller.isLogging && received.logs.join() !== whole && !isEnough)
    return `hole in logs: ${received.logs} of ${count}`;
  return problem;
}

/** @param {Making} making */
async function cancel(making) {
  const { caller, number } = making;
  const cancelling = new AbortController();
  const onProgress = () => {
    caller.ledger.cancelled.push(number);
    cancelling.abort();
  };
  try {
    await call(making, 'wait', { given: { ms: 6_000 }, onProgress, signal: cancelling.signal });
  } catch (error) {
    if (cancelling.signal.aborted) return undefined;
    throw error;
  }
  return cancelling.signal.aborted ? undefined : 'no progress was received, so nothing was cancelled';
}

/** @param {Making} making */
async function ask(making) {
  const result = await call(making, 'ask');
  return problemOf(result, making) ?? answerIn(result, making);
}

/**
 * Returns the problem with the answer of the user in a result, if the tool has requested one.
 *
 * @param {any} result
 * @param {Making} making
 */
function answerIn(result, { caller }) {
  const { said = 'right' } = contentOf(result);
  if (said.startsWith('wrong')) caller.ledger.recordFault('answer of another user', said);
  return said === 'right' ? undefined : `the answer of the user was lost: ${said}`;
}

/** @param {Making} making */
async function read({ caller, connected }) {
  const { contents } = await connected.read(caller.uri);
  const content = JSON.parse(contents[0].text);
  return content.of === caller.name ? strangerIn(content, caller) : JSON.stringify(content);
}

/** @param {Making} making */
async function update(making) {
  const { caller } = making;
  const before = caller.updates;
  const problem = problemOf(await call(making, 'touch'), making);
  if (problem !== undefined) return problem;
  if (await caller.nextUpdate(before, updateTime)) return undefined;
  // An official client gives up its stream after a few attempts; a program opens another client then.
  if (caller.clientKind.side === 'tenon') return 'no update was received';
  await caller.close();
  caller.ledger.note('official clients opened again for updates');
  const connected = await caller.connected();
  return connected === undefined ? 'no update was received' : secondUpdate(making, connected);
}

/**
 * @param {Making} making
 * @param {ConnectedClient} connected
 */
async function secondUpdate({ caller }, connected) {
  const before = caller.updates;
  const number = caller.begins('in an update');
  const problem = problemOf(await connected.call('touch', { number }), { caller, number });
  if (problem !== undefined) return problem;
  caller.ledger.isRight(number, 'in an update');
  return (await caller.nextUpdate(before, updateTime)) ? undefined : 'no update was received by a new client';
}

/**
 * Sets a log level, and calls until several nodes in a row respect it.
 *
 * @param {Making} making
 */
async function level(making) {
  const { caller, connected } = making;
  caller.isLogging = false;
  await connected.setLogLevel('error');
  const first = await adopted(making, []);
  await connected.setLogLevel('info');
  const problem = first ?? (await adopted(making, [1]));
  caller.isLogging = problem === undefined;
  return problem;
}

/**
 * @param {Making} making
 * @param {number[]} expected
 */
async function adopted({ caller, connected }, expected) {
  let inRow = 0;
  for (let attempt = 0; attempt < 40; attempt++) {
    const number = caller.begins('in a level');
    const result = await connected.call('say', { number });
    const { logs } = caller.ends(number);
    const problem = problemOf(result, { caller, number });
    if (problem !== undefined) return problem;
    caller.ledger.isRight(number, 'in a level');
    inRow = logs.join() === expected.join() ? inRow + 1 : 0;
    if (inRow === 5) return undefined;
    await pause(50);
  }
  return `the log level was not adopted: ${expected.length} messages expected`;
}

/** @param {Making} making */
async function batch({ caller, connected, number }) {
  const numbers = [number, caller.begins('in a batch'), caller.begins('in a batch')];
  const results =
    connected.batch?.(numbers.map((each) => ({ name: 'quick', given: { number: each } }))) ?? [];
  const settled = await Promise.all(results);
  for (const each of numbers.slice(1)) {
    caller.ends(each);
    caller.ledger.isRight(each, 'in a batch');
  }
  const problems = numbers.map((each, index) => problemOf(settled[index], { caller, number: each }));
  return problems.find((problem) => problem !== undefined);
}

/** @param {Making} making */
async function repeat(making) {
  const [first, second] = await repeatedCall(making);
  const problem = problemOf(first, making) ?? problemOf(second, making);
  if (problem !== undefined) return problem;
  const values = [first, second].map((result) => contentOf(result).values.join());
  return values[0] === values[1] ? undefined : `another answer to the same call: ${values.join(' and ')}`;
}

/**
 * @param {Making} making
 * @param {string} tool
 */
async function task(making, tool) {
  const [first, second = first] = await endedTask(making, tool);
  const problem = problemOf(first, making) ?? problemOf(second, making);
  if (problem !== undefined) return problem;
  const values = [first, second].map((result) => JSON.stringify(contentOf(result)));
  if (values[0] === values[1]) return answerIn(first, making);
  making.caller.ledger.recordFault('task ended twice', `number ${making.number}: ${values.join(' and ')}`);
  return 'another result of the same task';
}

/** @param {Making} making */
async function replay({ caller, number }) {
  const { url, name, random, ledger } = caller;
  // A principal of its own: the token is bound to a key.
  const principal = `${name}-bound`;
  const copies = { copies: random.whole(4, 6), together: random.chance(0.5) };
  const { result, ...proof } = await presentProof({ url, name, principal, number }, copies);
  ledger.proofs.push(proof);
  const { accepted, others } = proof;
  if (accepted > 1) return `${accepted} requests with one proof were accepted`;
  if (accepted === 0) return `no request with the proof was accepted: ${others.join() || 'each was refused'}`;
  if (result === undefined) return 'the request with the proof was accepted, and has no result';
  return problemOf(result, { caller: { name, principal, ledger }, number });
}

/** @param {any} result */
function contentOf(result) {
  if (result?.isError === true) return { failed: result.content[0]?.text };
  return JSON.parse(result.content[0].text);
}

/**
 * Returns the problem with the answer to a call.
 *
 * @param {any} result
 * @param {{ caller: Expected, number: number }} making
 */
function problemOf(result, { caller, number }) {
  const content = contentOf(result);
  if (content.number === number && content.value === answerTo(number)) return strangerIn(content, caller);
  if (content.failed === undefined)
    caller.ledger.recordFault('wrong answer', `number ${number}: ${JSON.stringify(content)}`);
  return JSON.stringify(content).slice(0, 300);
}

/**
 * Returns the problem if the server took the caller for another one.
 *
 * @param {{ name?: string, auth?: string }} content
 * @param {Expected} caller
 */
function strangerIn({ name, auth }, caller) {
  if (name === caller.name && auth === caller.principal) return undefined;
  const problem = `${caller.name}, ${caller.principal} was taken for ${name}, ${auth}`;
  caller.ledger.recordFault('taken for another caller', problem);
  return problem;
}
