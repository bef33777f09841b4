import { Application } from '../peers/application.js';
import { since, until } from '../run/cells.js';
import { tapped } from '../wire/tapped.js';
import { toolNames } from './tool-names.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Scene} Scene */
/** @typedef {import('../run/columns.js').Column} Column */

const unlessSession = until('2025-11-25', 'the session of streamable HTTP');
const unlessOurs =
  (/** @type {string} */ what) =>
  (/** @type {Column} */ { client }) =>
    client === 'tenon' ? undefined : `the official clients do not ${what}`;

/** Servers that do not answer 404 after a session has ended. */
const keepsSessions = new Map([
  ['server-everything', 'server-everything answers 400 where a session has ended, not 404'],
  ['fixture-tmcp', 'tmcp 1.20 goes on with a session that has ended'],
  ['fixture-mcp-lite', 'mcp-lite 0.10 goes on with a session that has ended'],
]);

/**
 * Returns the first reason.
 *
 * @param {((column: Column) => string | undefined)[]} conditions
 * @returns {(column: Column) => string | undefined}
 */
const unless =
  (...conditions) =>
  (column) =>
    conditions.map((condition) => condition(column)).find((reason) => reason !== undefined);

/** @type {Call} */
export const twoClients = {
  name: 'two clients: each answers its own',
  run: together,
  expected: [
    { asked: 1, said: ['Ada'] },
    { asked: 1, said: ['Grace'] },
  ],
};

/**
 * Calls for Streamable HTTP only.
 *
 * @type {readonly Call[]}
 */
export const calls = [
  {
    name: 'session: ended',
    run: ended,
    expected: { deleted: true, named: true },
    unless: unlessSession,
  },
  {
    name: 'session: lost, then a new one',
    run: lost,
    expected: { before: true, after: true, sessions: 2 },
    unless: unless(unlessSession, unlessOurs('begin a lost session anew'), ({ server }) =>
      keepsSessions.get(server),
    ),
  },
  {
    name: 'headers of every request',
    run: headers,
    expected: [],
    unless: ({ client }) =>
      client === 'tenon' ? undefined : 'what the official clients send is not ours to check',
  },
  {
    name: 'batch',
    run: batch,
    expected: { values: [true, true], together: true },
    unless: unless(
      unlessOurs('send batches'),
      since('2025-03-26', 'a batch'),
      until('2025-03-26', 'a batch'),
      ({ server }) => (server === 'fixture-tmcp' ? 'tmcp 1.20 refuses the batches of 2025-03-26' : undefined),
    ),
  },
];

/**
 * Calls from two clients of one server at the same time; each client answers sampling with a model of its own.
 *
 * @param {Scene} scene
 */
async function together({ reach, url, column }) {
  const { samples = '', samplesWith = {} } = toolNames[column.server];
  let open = () => {};
  /** @type {Promise<void>} */
  const bothAsked = new Promise((resolve) => {
    open = resolve;
  });
  let waiting = 0;
  const names = ['Ada', 'Grace'];
  const clients = await Promise.all(
    names.map(async (name) => {
      const application = new Application();
      application.answers.sample = async () => {
        if (++waiting === names.length) open();
        await bothAsked;
        return { role: 'assistant', content: { type: 'text', text: name }, model: 'test-model' };
      };
      return { application, peer: await reach(application, url) };
    }),
  );
  const said = await Promise.all(clients.map(({ peer }) => peer.call(samples, samplesWith)));
  await Promise.all(clients.map(({ peer }) => peer.close()));
  return clients.map(({ application }, index) => ({
    // Some servers also request the roots.
    asked: application.takeInputRequests().filter(({ kind }) => kind === 'sample').length,
    said: names.filter((name) => JSON.stringify(said[index]).includes(name)),
  }));
}

/** @param {Scene} scene */
async function ended(scene) {
  const { plain } = toolNames[scene.column.server];
  const { deleted, initialized } = await tapped(scene, async ({ tap, peer }) => {
    await peer.call(plain);
    await peer.close();
    return {
      deleted: await tap.seen(({ method, status }) => method === 'DELETE' && status !== undefined),
      initialized: await tap.seen(({ message }) => message?.method === 'initialize'),
    };
  });
  const id = initialized.answered['mcp-session-id'];
  return {
    deleted: deleted.status === 200 || deleted.status === 204,
    named: id !== undefined && deleted.headers['mcp-session-id'] === id,
  };
}

/**
 * Ends the session from outside, like a server that restarts.
 *
 * @param {Scene} scene
 */
function lost(scene) {
  const { plain } = toolNames[scene.column.server];
  return tapped(scene, async ({ tap, peer }) => {
    const before = (await peer.call(plain)).content.length > 0;
    const begun = await tap.seen(({ message }) => message?.method === 'initialize');
    const id = String(begun.answered['mcp-session-id']);
    const ending = { 'mcp-session-id': id, 'mcp-protocol-version': String(peer.revision()) };
    await fetch(scene.url ?? '', { method: 'DELETE', headers: ending });
    const after = (await peer.call(plain)).content.length > 0;
    const sessions = tap.passages.filter(({ message }) => message?.method === 'initialize').length;
    return { before, after, sessions };
  });
}

/**
 * Returns the problems with the headers of the client's requests after negotiation.
 *
 * @param {Scene} scene
 */
function headers(scene) {
  const { plain } = toolNames[scene.column.server];
  const { speaks } = scene.column;
  return tapped(scene, async ({ tap, peer }) => {
    await peer.call(plain);
    await peer.tools();
    const posts = tap.passages.filter(({ method }) => method === 'POST');
    const settled = posts.filter(
      ({ message }) => !['initialize', 'server/discover'].includes(message.method),
    );
    return [
      ...posts.flatMap(({ headers, message }) => [
        ...headerProblem(message, 'accept', [headers.accept, 'application/json, text/event-stream']),
        ...headerProblem(message, 'content-type', [headers['content-type'], 'application/json']),
      ]),
      // 2025-03-26 has no header for the revision.
      ...(speaks < '2025-06-18' ? [] : settled).flatMap(({ headers, message }) =>
        headerProblem(message, 'mcp-protocol-version', [headers['mcp-protocol-version'], speaks]),
      ),
      ...(speaks < '2026-07-28' ? [] : settled).flatMap(({ headers, message }) => [
        ...headerProblem(message, 'mcp-method', [headers['mcp-method'], message.method]),
        ...headerProblem(message, 'mcp-name', [headers['mcp-name'], message.params.name]),
      ]),
    ];
  });
}

/**
 * @param {any} message
 * @param {string} name
 * @param {[given: unknown, wanted: unknown]} values
 */
function headerProblem({ method }, name, [given, wanted]) {
  return given === wanted ? [] : [`${method}: ${name} is ${given}, not ${wanted}`];
}

/** @param {Scene} scene */
function batch(scene) {
  const { plain } = toolNames[scene.column.server];
  return tapped(scene, async ({ tap, peer }) => {
    const values = await peer.batch?.([plain, plain]);
    const sent = tap.passages.filter(({ message }) => Array.isArray(message));
    return {
      values: values?.map(({ content }) => content.length > 0),
      together: sent.length === 1 && sent[0]?.message.length === 2,
    };
  });
}
