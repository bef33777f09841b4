import { said, told } from '../peers/said.js';
import { registerProgram } from '../peers/sign-in.js';
import { signedIn, unlessOwn, unlessSteps } from './sign-in-otherwise.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Scene} Scene */

/**
 * A program signs in that acts on its own.
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
    expected: { said: 'written', scopes: ['notes:read', 'notes:write'] },
    unless: (column) => unlessOwn(column) ?? unlessSteps(column),
  },
  {
    name: 'program: token refused, another is obtained',
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
    const { client, scopes } = await told(peer, 'whoami');
    return { isItself: client === registered.clientId, scopes, visits: browser.visits.length };
  });
}

/** @param {Scene} scene */
async function programStepUp(scene) {
  return signedIn(scene, await registerProgram(scene.url ?? '', 'secret'), async (peer) => {
    const text = await said(peer, 'write');
    const { scopes } = await told(peer, 'whoami');
    return { said: text, scopes: scopes.sort() };
  });
}

/** @param {Scene} scene */
async function programRefused(scene) {
  const registered = await registerProgram(scene.url ?? '', 'secret');
  return signedIn(scene, registered, async (peer) => {
    const before = await told(peer, 'asked');
    await peer.call('blacklist');
    const { client } = await told(peer, 'whoami');
    const after = await told(peer, 'asked');
    return { isItself: client === registered.clientId, programs: after.programs - before.programs };
  });
}
