import { Application } from '../peers/application.js';

/** @typedef {import('../run/cells.js').Scene} Scene */
/** @typedef {import('../run/columns.js').Column} Column */
/** @typedef {import('../peers/peer.js').Peer} Peer */

export const unlessOwn = (/** @type {Column} */ { server }) =>
  server.startsWith('guarded-v1')
    ? 'the authorization server of the 1.x SDK lets in users alone, and registers each client'
    : undefined;

export const unlessLate = (/** @type {Column} */ { server, transport }) =>
  server === 'guarded-tenon' && transport === 'sse'
    ? 'over HTTP+SSE our server takes a call before it looks at what the call takes'
    : undefined;

/** The reason why a client that only asks our provider for tokens cannot do more. */
export const byTokens =
  'a client that gets tokens from us, and is not our sender, has no more scopes and no keys';

export const unlessSteps = (/** @type {Column} */ column) => {
  if (column.signInBy !== undefined && column.signInBy !== 'fetch') return byTokens;
  return column.client === 'official-v1' && column.signInBy === undefined
    ? 'the official 1.x client asks for the same scopes again where it needs more'
    : unlessLate(column);
};

/**
 * Calls a function with a new client that signs in in another way.
 *
 * @template Value
 * @param {Scene} scene
 * @param {import('../peers/sign-in.js').SignIn} signIn
 * @param {(peer: Peer, application: Application) => Promise<Value>} act
 */
export async function signedIn({ reach, url }, signIn, act) {
  const application = new Application();
  const peer = await reach(application, url, signIn);
  try {
    return await act(peer, application);
  } finally {
    await peer.close();
  }
}
