import { Application } from '../peers/application.js';
import { redirectUri } from '../peers/sign-in.js';
import { toolJson, toolText } from '../peers/tool-text.js';
import { byTokens, signedIn, unlessLate, unlessOwn, unlessSteps } from './sign-in-otherwise.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Scene} Scene */
/** @typedef {import('../run/columns.js').Column} Column */
/** @typedef {import('../peers/peer.js').Peer} Peer */

/** The URL of the client's metadata document, which the test authorization server knows. */
const metadataUrl = 'https://client.example/interop.json';

const unlessOurs = (/** @type {Column} */ { client, signInBy }) =>
  client === 'tenon' || signInBy === 'fetch'
    ? undefined
    : 'the official clients leave it to their applications';
const unlessBound = (/** @type {Column} */ { client, server, signInBy }) => {
  if (server !== 'guarded-tenon') return 'the official servers take bearer tokens alone';
  if (signInBy !== undefined) return signInBy === 'fetch' ? undefined : byTokens;
  return client === 'official-v1' ? 'the official 1.x client binds no tokens' : undefined;
};

/**
 * Signs in with the test's browser, at first with the scopes of every request. The order matters: each call uses the tokens
 * of the calls before it.
 *
 * @type {readonly Call[]}
 */
export const calls = [
  {
    name: 'revision',
    run: ({ peer }) => peer.revision(),
    expected: (/** @type {Column} */ { speaks }) => speaks,
  },
  {
    name: 'sign-in: user and scopes',
    run: async ({ peer }) => {
      const { user, scopes } = await toolJson(peer, 'whoami');
      return { user, scopes };
    },
    expected: { user: 'ada', scopes: ['notes:read'] },
  },
  {
    name: 'sign-in: authorization request',
    run: authorizationRequest,
    expected: {
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: true,
      state: true,
      redirect_uri: redirectUri,
      scope: 'notes:read',
      resource: true,
    },
  },
  {
    name: 'sign-in: once for all calls',
    run: once,
    expected: { answers: 10, visits: 1, codes: 1, refreshes: 0 },
  },
  {
    name: 'sign-in: streams without a call',
    run: receivesChanges,
    expected: ['tools'],
  },
  {
    name: 'token refused: refreshed without a sign-in',
    run: (scene) => refreshed(scene, 1),
    expected: { users: ['ada'], visits: 0, codes: 0, refreshes: 1 },
  },
  {
    name: 'token refused of ten calls: refreshed once',
    run: (scene) => refreshed(scene, 10),
    expected: { users: Array.from({ length: 10 }, () => 'ada'), visits: 0, codes: 0, refreshes: 1 },
    unless: unlessOurs,
  },
  {
    name: 'step-up: once, for both scopes',
    run: stepUp,
    expected: {
      text: 'written',
      visits: 1,
      asked: ['notes:read', 'notes:write'],
      has: ['notes:read', 'notes:write'],
    },
    unless: unlessSteps,
  },
  {
    name: 'step-up: not granted, not repeated',
    run: neverGranted,
    expected: { first: 'denied', second: 'denied', visits: 1, goesOn: 'ada' },
    unless: (column) => unlessOurs(column) ?? unlessLate(column),
  },
  {
    name: 'sign-in: denied by the user',
    run: saysNo,
    expected: { failed: true, visits: 1 },
  },
  {
    name: 'sign-in: two users',
    run: twoUsers,
    expected: ['grace', 'alan'],
  },
  {
    name: 'sign-in: client with a metadata document',
    run: byDocument,
    expected: { user: 'ada', client: metadataUrl },
    unless: unlessOwn,
  },
  {
    name: 'token bound to a key (DPoP)',
    run: bound,
    expected: { user: 'ada', isBound: true },
    unless: unlessBound,
  },
];

/**
 * Returns how many sign-ins and token requests a function caused.
 *
 * @param {Scene} scene
 * @param {() => Promise<unknown>} act
 */
async function costOf({ peer, application: { browser } }, act) {
  const visits = browser.visits.length;
  const before = await toolJson(peer, 'asked');
  await act();
  const after = await toolJson(peer, 'asked');
  return {
    visits: browser.visits.length - visits,
    codes: after.codes - before.codes,
    refreshes: after.refreshes - before.refreshes,
  };
}

/** @param {Scene} scene */
function authorizationRequest({ application: { browser }, column, url = '' }) {
  const { searchParams } = browser.visits[0] ?? new URL(url);
  const { code_challenge, state, resource, client_id: _, ...rest } = Object.fromEntries(searchParams);
  return {
    ...rest,
    code_challenge: code_challenge?.length === 43,
    state: (state?.length ?? 0) > 20,
    resource: resource === resourceOf(column, url),
  };
}

/**
 * Returns the server's resource identifier: its origin if it has more than one endpoint.
 *
 * @param {Column} column
 * @param {string} url
 */
function resourceOf({ server, transport }, url) {
  const { origin, href } = new URL(url);
  if (server === 'guarded-v1') return `${origin}/`;
  return transport === 'sse' ? origin : href;
}

/** @param {Scene} scene */
async function once({ peer, application: { browser } }) {
  const answers = await Promise.all(Array.from({ length: 10 }, () => toolJson(peer, 'whoami')));
  await peer.tools();
  const { codes, refreshes } = await toolJson(peer, 'asked');
  return { answers: answers.length, visits: browser.visits.length, codes, refreshes };
}

/** @param {Scene} scene */
async function receivesChanges({ peer }) {
  /** @type {(change: string) => void} */
  let notify = () => {};
  const received = new Promise((resolve) => {
    notify = resolve;
  });
  const stop = await peer.watch({ tools: true }, notify);
  await peer.call('grow');
  const change = await received;
  await stop();
  return [change];
}

/**
 * @param {Scene} scene
 * @param {number} calls
 */
async function refreshed(scene, calls) {
  /** @type {unknown[]} */
  let users = [];
  const cost = await costOf(scene, async () => {
    await scene.peer.call('blacklist');
    const answers = await Promise.all(Array.from({ length: calls }, () => toolJson(scene.peer, 'whoami')));
    users = answers.map(({ user }) => user);
  });
  return { users, ...cost };
}

/** @param {Scene} scene */
async function stepUp(scene) {
  const { peer, application } = scene;
  let text = '';
  const { visits } = await costOf(scene, async () => {
    text = await toolText(peer, 'write');
  });
  const asked = application.browser.visits.at(-1)?.searchParams.get('scope')?.split(' ').sort();
  const { scopes } = await toolJson(peer, 'whoami');
  return { text, visits, asked, has: scopes.sort() };
}

/** @param {Scene} scene */
async function neverGranted(scene) {
  const { peer } = scene;
  const reason = () => peer.call('rule').then(JSON.stringify, (error) => error.reason ?? String(error));
  let [first, second] = ['', ''];
  const { visits } = await costOf(scene, async () => {
    first = await reason();
    second = await reason();
  });
  const { user: goesOn } = await toolJson(peer, 'whoami');
  return { first, second, visits, goesOn };
}

/** @param {Scene} scene */
async function saysNo({ reach, url }) {
  const application = new Application();
  application.browser.user = 'deny';
  const failed = await reach(application, url).then(
    () => false,
    () => true,
  );
  return { failed, visits: application.browser.visits.length };
}

/** @param {Scene} scene */
function twoUsers({ reach, url }) {
  return Promise.all(
    ['grace', 'alan'].map(async (user) => {
      const application = new Application();
      application.browser.user = user;
      const peer = await reach(application, url);
      const { user: name } = await toolJson(peer, 'whoami');
      await peer.close();
      return name;
    }),
  );
}

/** @param {Scene} scene */
function byDocument(scene) {
  return signedIn(scene, { by: 'user', metadataUrl }, async (peer) => {
    const { user, client } = await toolJson(peer, 'whoami');
    return { user, client };
  });
}

/** @param {Scene} scene */
function bound(scene) {
  return signedIn(scene, { by: 'user', dpop: true }, async (peer) => {
    const { user, isBound } = await toolJson(peer, 'whoami');
    return { user, isBound };
  });
}
