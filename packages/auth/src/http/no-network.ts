/** Stands for node-network.ts in bundles for browsers, which have `fetch` alone. */
export const network: undefined = undefined;
