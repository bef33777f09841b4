import { Stage } from '../nodes/stage.js';
import { answerDuringTakeover } from './answer-during-takeover.js';
import { drainWithAnswers } from './drain-with-answers.js';
import { frozenTask } from './frozen-task.js';
import { fullState } from './full-state.js';
import { lostSession } from './lost-session.js';
import { sessionsInTurn } from './sessions-in-turn.js';
import { startWithoutState } from './start-without-state.js';
import { stateRestartWithKill } from './state-restart-with-kill.js';
import { tasksAtOnce } from './tasks-at-once.js';
import { twoServers } from './two-servers.js';

/** @typedef {import('../storm/findings/verdicts.js').Verdict} Verdict */

/**
 * A process or the state fails at a chosen moment.
 *
 * @typedef {object} Incident
 * @property {string} name
 * @property {string} about one line for the list
 * @property {(stage: Stage) => Promise<Verdict[]>} run
 */

/** @type {readonly Incident[]} */
export const incidents = [
  answerDuringTakeover,
  stateRestartWithKill,
  frozenTask,
  sessionsInTurn,
  tasksAtOnce,
  drainWithAnswers,
  startWithoutState,
  lostSession,
  twoServers,
  fullState,
];

/**
 * Runs an incident with processes and a state of its own. The claims of its verdicts begin with its name.
 *
 * @param {Incident} incident
 * @param {{ state: import('../state/state-server.js').StateKind, seed: number, onProgress: (line: string) => void }} options
 * @returns {Promise<Verdict[]>}
 */
export async function runIncident({ name, about, run }, options) {
  options.onProgress(`${name}: ${about}`);
  const stage = await Stage.open(options);
  try {
    const verdicts = await run(stage);
    return verdicts.map((verdict) => ({ ...verdict, claim: `${name}: ${verdict.claim}` }));
  } catch (error) {
    const found = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return [{ claim: `${name}: runs to its end`, holds: false, found }];
  } finally {
    await stage.close();
  }
}
