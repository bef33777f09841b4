import { registerProgram } from '../peers/sign-in.js';
import { toolJson, toolText } from '../peers/tool-text.js';
import { signedIn, unlessOwn, unlessSteps } from './sign-in-otherwise.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Scene} Scene */

/**
 * Signs in as a program without a user.
 *
 * @type {readonly Call[]}
 */
export const calls = [
  {
    name: 'program: by its secret',
    run: (scene) => program(scene, 'secret'),
    expected: { isItself: true, scopes: ['notes:read'], visits: 0 },
    unless: unlessOwn,
  },
  {
    name: 'program: by its key',
    run: (scene) => program(scene, 'key'),
    expected: { isItself: true, scopes: ['notes:read'], visits: 0 },
    unless: unlessOwn,
  },
  {
    name: 'program: step-up',
    run: programStepUp,
    expected: { text: 'written', scopes: ['notes:read', 'notes:write'] },
    unless: (column) => unlessOwn(column) ?? unlessSteps(column),
  },
  {
    name: 'program: token refused, new token',
    run: programRefused,
    expected: { isItself: true, programs: 1 },
    unless: unlessOwn,
  },
];

/**
 * @param {Scene} scene
 * @param {'secret' | 'key'} by
 */
async function program(scene, by) {
  const registered = await registerProgram(scene.url ?? '', by);
  return signedIn(scene, registered, async (peer, { browser }) => {
    const { client, scopes } = await toolJson(peer, 'whoami');
    return { isItself: client === registered.clientId, scopes, visits: browser.visits.length };
  });
}

/** @param {Scene} scene */
async function programStepUp(scene) {
  return signedIn(scene, await registerProgram(scene.url ?? '', 'secret'), async (peer) => {
    const text = await toolText(peer, 'write');
    const { scopes } = await toolJson(peer, 'whoami');
    return { text, scopes: scopes.sort() };
  });
}

/** @param {Scene} scene */
async function programRefused(scene) {
  const registered = await registerProgram(scene.url ?? '', 'secret');
  return signedIn(scene, registered, async (peer) => {
    const before = await toolJson(peer, 'asked');
    await peer.call('blacklist');
    const { client } = await toolJson(peer, 'whoami');
    const after = await toolJson(peer, 'asked');
    return { isItself: client === registered.clientId, programs: after.programs - before.programs };
  });
}
