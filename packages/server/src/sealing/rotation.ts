import type { ClusterNode } from '@tenon/mcp-state';

/** The rotation of the keys of each process among those that share a state. */
const rotations = new WeakMap<ClusterNode, () => Promise<void>>();

/** Sets the function that rotates the keys of a server. */
export function onRotation(cluster: ClusterNode, rotate: () => Promise<void>): void {
  rotations.set(cluster, rotate);
}

/**
 * Adds a new key to those that seal the state of input requests, in all processes that share the `state` of the server. States that
 * are on their way can be opened until they expire: a replaced key is deleted at the first rotation after twice the `stateLifetime`.
 * Call it in one process, from time to time.
 * @throws TypeError if the server has no shared `state`, or has `stateKeys`; StateError if the state cannot be reached.
 */
export async function rotateStateKeys(server: { readonly cluster: ClusterNode | undefined }): Promise<void> {
  const rotate = server.cluster && rotations.get(server.cluster);
  if (rotate === undefined) {
    throw new TypeError(
      'rotateStateKeys: the server needs shared state, createServer(info, { state }), and no stateKeys of its own.',
    );
  }
  await rotate();
}
