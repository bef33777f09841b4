import { isObject } from './json.js';

/**
 * The process that a message of a client is for, if several processes serve its session. An answer and progress are for the process that
 * sent the request; a cancellation is for every process.
 */
export type Addressee =
  | { readonly process: string; readonly answers: boolean }
  | { readonly process: undefined; readonly answers?: undefined };

/** Returns the beginning of the ids of requests that a process sends. */
export function idPrefixOf(process: string): string {
  return `${process}-`;
}

/** Returns the process that a message is for; undefined for a message that any process can handle. */
export function addresseeOf(message: unknown): Addressee | undefined {
  if (!isObject(message)) return undefined;
  const { method, id, params } = message;
  if (method === undefined) {
    const process = processIn(id);
    return process === undefined ? undefined : { process, answers: true };
  }
  if (method === 'notifications/cancelled') return { process: undefined };
  if (method !== 'notifications/progress' || !isObject(params)) return undefined;
  const process = processIn(params.progressToken);
  return process === undefined ? undefined : { process, answers: false };
}

/** Returns the process in the id of a request. */
function processIn(id: unknown): string | undefined {
  return typeof id === 'string' ? /^([a-z2-7]{12})-\d{1,16}$/.exec(id)?.[1] : undefined;
}
