import { Inbox } from '../peers/application.js';
import { since, until } from '../run/cells.js';
import { callOf, isStream, tapped } from '../wire/tapped.js';
import { toolNames } from './tool-names.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Scene} Scene */
/** @typedef {import('../run/columns.js').Column} Column */

const unlessSession = until('2025-11-25', 'a stream that can be resumed');
const unlessStateless = since('2026-07-28', 'a call that ends with its stream');
const unlessResumable = (/** @type {Column} */ { server }) =>
  server === 'server-everything'
    ? 'server-everything replays the events of other streams, and goes on with none'
    : undefined;

/** @type {readonly Call[]} */
export const calls = [
  {
    name: 'broken call: resumed',
    run: resumed,
    expected: { answered: true, resumedOnce: true, calls: 1 },
    unless: (column) => unlessSession(column) ?? unlessResumable(column),
  },
  {
    name: 'stream closed by the server: polled',
    run: polled,
    expected: { answered: true, streams: 2, calls: 1, closesAtOnce: true },
    unless: (column) =>
      unlessSession(column) ??
      since('2025-11-25', 'a stream that the server closes early')(column) ??
      (column.server === 'server-everything' ? 'server-everything closes none early' : undefined),
  },
  {
    name: 'broken stream without a call: resumed',
    run: resumedBetween,
    expected: { before: true, while: true, after: true },
    unless: (column) => unlessSession(column) ?? unlessResumable(column),
  },
  {
    name: 'broken call: fails once',
    run: failsOnce,
    expected: { outcome: 'failed', calls: 1, next: true },
    unless: (column) =>
      unlessStateless(column) ??
      (column.client === 'tenon'
        ? undefined
        : 'the official 2.x client waits on when the stream of a call breaks'),
  },
  {
    name: 'broken listen stream: resumed',
    run: listensAgain,
    expected: { before: true, after: true, listens: 2 },
    unless: (column) =>
      unlessStateless(column) ??
      (column.client === 'tenon' ? undefined : 'the official clients do not listen again'),
  },
];

/**
 * Breaks the stream of a call after its first progress notification.
 *
 * @param {Scene} scene
 */
function resumed(scene) {
  const { slow = '', slowWith = {} } = toolNames[scene.column.server];
  return tapped(scene, async ({ tap, peer }) => {
    const calling = peer.call(slow, slowWith, { onProgress: () => undefined });
    const call = await tap.seen((one) => callOf(slow)(one) && one.text.includes('notifications/progress'));
    call.cutOff();
    const { content } = await calling;
    const resumptions = tap.passages.filter(({ headers }) => headers['last-event-id'] !== undefined);
    return {
      answered: content.length > 0,
      resumedOnce: resumptions.filter(({ status }) => status === 200).length === 1,
      calls: tap.passages.filter(callOf(slow)).length,
    };
  });
}

/** @param {Scene} scene */
function polled(scene) {
  const { polled } = toolNames[scene.column.server];
  return tapped(scene, async ({ tap, peer }) => {
    const { content } = await peer.call(polled ?? '');
    const resumptions = tap.passages.filter(({ headers }) => headers['last-event-id'] !== undefined);
    const streams = [...tap.passages.filter(callOf(polled)), ...resumptions].filter(isStream).length;
    const calls = tap.passages.filter(callOf(polled)).length;
    const began = performance.now();
    await peer.close();
    // Servers leave a resumed stream open; a client that waits for its end takes seconds to close.
    return { answered: content.length > 0, streams, calls, closesAtOnce: performance.now() - began < 1_500 };
  });
}

/**
 * Breaks the stream that belongs to no call, and makes a change before it is resumed.
 *
 * @param {Scene} scene
 */
function resumedBetween(scene) {
  const { column } = scene;
  const { touch = '', watched: uri = '' } = toolNames[column.server];
  return tapped(scene, async ({ tap, peer }) => {
    const changes = new Inbox();
    // A stream that another process resumes is notified of one change more: the processes may have missed one.
    const notified = async () => (await changes.first(1)).length === 1 || column.processes !== undefined;
    await peer.watch({ uri }, (change) => changes.add(change));
    const stream = await tap.seen((one) => one.method === 'GET' && one.status === 200);
    await peer.call(touch);
    const before = await notified();
    stream.cutOff();
    await peer.call(touch);
    const between = await notified();
    await peer.call(touch);
    const after = await notified();
    return { before, while: between, after };
  });
}

/**
 * In the stateless revision streams cannot be resumed, and the client does not repeat a call.
 *
 * @param {Scene} scene
 */
function failsOnce(scene) {
  const { plain, slow = '', slowWith = {} } = toolNames[scene.column.server];
  return tapped(scene, async ({ tap, peer }) => {
    const outcome = peer.call(slow, slowWith, { onProgress: () => undefined }).then(
      () => 'answered',
      () => 'failed',
    );
    const call = await tap.seen((one) => callOf(slow)(one) && one.text.includes('notifications/progress'));
    call.cutOff();
    return {
      outcome: await outcome,
      calls: tap.passages.filter(callOf(slow)).length,
      next: (await peer.call(plain)).content.length > 0,
    };
  });
}

/** @param {Scene} scene */
function listensAgain(scene) {
  const { touch = '', watched: uri = '' } = toolNames[scene.column.server];
  return tapped(scene, async ({ tap, peer }) => {
    const changes = new Inbox();
    await peer.watch({ uri }, (change) => changes.add(change));
    const isListening = (/** @type {import('../wire/tap.js').Passage} */ { message, text, cut }) =>
      message?.method === 'subscriptions/listen' && text.includes('acknowledged') && !cut;
    const listening = await tap.seen(isListening);
    await peer.call(touch);
    const before = (await changes.first(1)).length > 0;
    listening.cutOff();
    await tap.seen(isListening);
    changes.take();
    await peer.call(touch);
    const after = (await changes.first(1)).length > 0;
    const listens = tap.passages.filter(({ message }) => message?.method === 'subscriptions/listen').length;
    return { before, after, listens };
  });
}
