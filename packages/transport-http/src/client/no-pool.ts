import type { OpenSender } from './http-sender.js';

/** Stands for pool-sender.ts in bundles: they send with the global `fetch`. */
export const openSender: OpenSender | undefined = undefined;
