import type { OpenSender } from './http-sender.js';

/** Replaces undici.ts in bundles and on Bun, which send with the global `fetch`. */
export const openSender: OpenSender | undefined = undefined;
