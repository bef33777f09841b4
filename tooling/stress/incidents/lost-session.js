import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { judged } from '../run/once-verdicts.js';
import { errorText } from '../storm/findings/known-errors.js';
import { FollowedCall } from '../wire/followed-call.js';
import { RawSession } from '../wire/raw-session.js';

/** @typedef {import('../nodes/stage.js').Stage} Stage */
/** @typedef {import('../nodes/server-node.js').ServerNode} ServerNode */

/** Milliseconds until the streams of a lost session must have ended. */
const bound = 20_000;
/** Milliseconds of the call that is under way. */
const long = 60_000;
const patient = { serverLimits: { requestTotal: 120_000, handlerTime: 120_000 } };

/** @type {import('./index.js').Incident} */
export const lostSession = {
  name: 'lost-session',
  about: 'the state loses sessions whose streams are open',
  run: async (stage) => {
    const [first, second] = await Promise.all([stage.node(patient), stage.node(patient)]);
    return [
      judged('the stream of a call ends with an error', await ofCall(stage, first, first)),
      judged('so does a stream that was resumed at another process', await ofCall(stage, first, second)),
      judged('the stream of the session ends', await ofListener(stage, first)),
      judged('our client opens another session, and its call fails', await ofClient(stage, first)),
    ];
  },
};

/**
 * @param {Stage} stage
 * @param {ServerNode} first the process of the call
 * @param {ServerNode} reading the process that the stream is resumed at, if it is another one
 */
async function ofCall(stage, first, reading) {
  const session = await RawSession.open(first.url);
  let { url } = first;
  const call = new FollowedCall(
    session,
    { number: stage.number(), tool: 'wait', given: { ms: long } },
    () => url,
  );
  const ended = call.run(bound);
  await call.began;
  if (reading !== first) {
    ({ url } = reading);
    call.cut();
    await call.resumed;
  }
  await stage.state.erase(session.id);
  // A client that uses its session.
  const [used] = await Promise.all([used404(session, [first.url, reading.url]), ended]);
  const { answer, problem } = await ended;
  const problems = answer?.error === undefined ? [problem ?? `no error: ${JSON.stringify(answer)}`] : [];
  return [...problems, ...used];
}

/**
 * Returns the problem if a session is still known at the end.
 *
 * @param {RawSession} session
 * @param {readonly string[]} urls
 */
async function used404(session, urls) {
  for (const until = performance.now() + bound; performance.now() < until; await pause(500)) {
    const statuses = await Promise.all(urls.map((url) => session.ping(url)));
    if (statuses.every((status) => status === 404)) return [];
  }
  return ['the session is still known'];
}

/**
 * @param {Stage} stage
 * @param {ServerNode} node
 */
async function ofListener(stage, node) {
  const session = await RawSession.open(node.url);
  const limit = AbortSignal.timeout(bound);
  const { events } = await session.listen(node.url, undefined, limit);
  await stage.state.erase(session.id);
  const used = used404(session, [node.url]);
  for await (const _ of events);
  return [...(limit.aborted ? [`it is open after ${bound / 1_000} s`] : []), ...(await used)];
}

/**
 * @param {Stage} stage
 * @param {ServerNode} node
 */
async function ofClient(stage, node) {
  const client = await connect(httpTarget(node.url), {
    info: { name: 'client', version: '1.0.0' },
    revision: '2025-11-25',
    limits: { requestTimeout: bound },
    reconnect: { delay: 100, maxDelay: 1_000, attempts: 10 },
  });
  try {
    const call = client.callTool('wait', { number: stage.number(), ms: long }, { timeout: bound });
    const failed = call.then(
      () => ['the call of the lost session has a result'],
      (error) => (/timeout/.test(errorText(error)) ? [`the call did not end: ${errorText(error)}`] : []),
    );
    await pause(500);
    await stage.state.erase('session/');
    let last = 'no call was made';
    for (const until = performance.now() + bound; performance.now() < until; await pause(500)) {
      try {
        await client.callTool('quick', { number: stage.number() });
        return await failed;
      } catch (error) {
        last = errorText(error);
      }
    }
    return [`no call succeeds: ${last}`, ...(await failed)];
  } finally {
    await client.close();
  }
}
