import { Inbox } from '../peers/application.js';

/**
 * Returns the first change received while watching, and those received after a second one was made unwatched.
 *
 * @param {import('../peers/peer.js').Peer} peer
 * @param {import('../peers/peer.js').WatchFilter} filter
 * @param {{ by: string, next?: string }} tools `by` makes the change; the result of `next` arrives after a second change, which is made
 *   only with this tool
 */
export async function changesDuring(peer, filter, { by, next }) {
  const changes = new Inbox();
  // A change of another list may still be on its way.
  const isWatched = (/** @type {string} */ change) => 'uri' in filter || change in filter;
  const stop = await peer.watch(filter, (change) => {
    if (isWatched(change)) changes.add(change);
  });
  await peer.call(by);
  const [received] = await changes.first(1);
  await stop();
  if (next === undefined) return { received };
  await peer.call(by);
  await peer.call(next);
  return { received, afterwards: changes.take() };
}
