/**
 * A connected client of any program, as the scenarios use it.
 *
 * @typedef {object} ConnectedClient
 * @property {(name: string, given: Record<string, unknown>, options?: CallOptions) => Promise<any>} call
 * @property {(uri: string) => Promise<any>} read
 * @property {(level: 'info' | 'error') => Promise<unknown>} setLogLevel
 * @property {((calls: { name: string, given: Record<string, unknown> }[]) => Promise<any>[]) | undefined} batch
 * @property {() => Promise<unknown>} close
 * @property {import('@tenon/mcp-tasks/client').TaskClient} [tasks] of our client
 *
 * @typedef {object} CallOptions
 * @property {(progress: { progress: number }) => void} [onProgress]
 * @property {AbortSignal} [signal]
 * @property {Record<string, unknown>} [meta] of the request, for our client
 */

/**
 * The settings of a client, and the listeners of its caller.
 *
 * @typedef {object} ClientSetup
 * @property {import('./client-kinds.js').ClientKind} clientKind
 * @property {string} url of the proxy
 * @property {string} name of the caller
 * @property {Record<string, string>} headers
 * @property {string} uri the resource to watch
 * @property {import('../faults/random.js').Random} random
 * @property {import('../storm/findings/ledger.js').Ledger} ledger
 * @property {(message: string | undefined) => number} onAsk answers an input request
 * @property {(data: unknown) => void} onLog
 * @property {(uri: string) => void} onUpdated
 * @property {import('@tenon/mcp-tasks/client').OnTask} onTask
 * @property {(error: unknown) => void} onReplaced the client lost its session, and opened another
 * @property {() => void} onGaveUp the client gave up a stream that it could not resume
 * @property {(error: unknown, where: string) => void} onError
 */

/** Milliseconds until a call without an answer fails. */
export const callTime = 15_000;
