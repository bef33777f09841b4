import { randomUUID } from 'node:crypto';
import { judged } from '../run/once-verdicts.js';
import { userAnswerTo } from '../storm/findings/answers.js';
import { RawSession } from '../wire/raw-session.js';
import { callTool, createTask, getTask } from '../wire/stateless.js';

/** @typedef {import('../nodes/server-node.js').ServerNode} ServerNode */
/** @typedef {import('../nodes/stage.js').Stage} Stage */

/** @type {import('./index.js').Incident} */
export const twoServers = {
  name: 'two-servers',
  about: 'two servers with different names share one state, and so do two versions of one server',
  run: async (stage) => {
    const start = (/** @type {string} */ name, version = '1.0.0') =>
      // Without a key of their own, processes keep the keys of sealed states in the state.
      stage.node({ info: { name, version }, stateKey: undefined });
    const [server, newer, other] = await Promise.all([
      start('alpha'),
      start('alpha', '2.0.0'),
      start('beta'),
    ]);
    const seenBy = (/** @type {ServerNode} */ node) =>
      Promise.all([session, task, sealedState, keyedCall].map((seen) => seen(stage, server, node)));
    const [strange, same] = [await seenBy(other), await seenBy(newer)];
    const named = ['session', 'task', 'sealed state', 'call with a key'];
    return [
      judged(
        'a server has nothing of a server with another name',
        named
          .filter((_, index) => strange[index] === true)
          .map((name) => `the ${name} of another server is known`),
      ),
      judged(
        'a new version of a server has all of the version before',
        named.filter((_, index) => same[index] === false).map((name) => `the ${name} is unknown`),
      ),
    ];
  },
};

/**
 * @param {Stage} _
 * @param {ServerNode} server
 * @param {ServerNode} node
 * @returns {Promise<boolean>} true if the process serves the session of the server
 */
async function session(_, server, node) {
  const opened = await RawSession.open(server.url);
  return (await opened.ping(node.url)) === 200;
}

/** @type {typeof session} */
async function task(stage, server, node) {
  const call = { number: stage.number(), tool: 'work', given: { steps: 1, ms: 0 } };
  const taskId = await createTask({ url: server.url }, call);
  const { message } = await getTask({ url: node.url }, taskId);
  return message?.result?.taskId === taskId;
}

/** @type {typeof session} */
async function sealedState(stage, server, node) {
  const number = stage.number();
  const { message } = await callTool({ url: server.url }, { number, tool: 'ask' });
  const { requestState, inputRequests } = message?.result ?? {};
  if (requestState === undefined) throw new Error(`No input was requested: ${JSON.stringify(message)}`);
  const answer = { action: 'accept', content: { value: userAnswerTo(number) } };
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, answer]));
  const input = { requestState, inputResponses };
  const second = await callTool({ url: node.url }, { number, tool: 'ask', input });
  return second.message?.result?.content?.[0]?.text.includes('"said":"right"') === true;
}

/** @type {typeof session} */
async function keyedCall(stage, server, node) {
  const call = { number: stage.number(), tool: 'charge', given: { steps: 1, ms: 0 }, key: randomUUID() };
  const texts = [];
  for (const { url } of [server, node]) {
    const { message } = await callTool({ url }, call);
    texts.push(message?.result?.content?.[0]?.text);
  }
  if (texts.includes(undefined)) throw new Error('A call with a key has no result.');
  return texts[0] === texts[1];
}
