/** Replaces node-network.ts in bundles for browsers and on Bun, where only `fetch` can send. */
export const network: undefined = undefined;
