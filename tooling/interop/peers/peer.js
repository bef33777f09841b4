/**
 * A connected client of any make, as the suites see it. Values are what the client's own API gives.
 *
 * @typedef {object} Peer
 * @property {() => string | undefined} revision
 * @property {() => any} server what the server says of itself
 * @property {() => string | undefined} instructions
 * @property {() => any} capabilities
 * @property {() => Promise<unknown>} ping
 * @property {() => Promise<any[]>} tools
 * @property {() => Promise<any[]>} resources
 * @property {(cursor?: string) => Promise<{ uris: string[], nextCursor: string | undefined }>} resourcePage
 * @property {() => Promise<any[]>} templates
 * @property {() => Promise<any[]>} prompts
 * @property {(name: string, args?: Record<string, unknown>, options?: CallOptions) => Promise<any>} call
 * @property {(uri: string) => Promise<any>} read
 * @property {(name: string, args?: object) => Promise<any>} prompt
 * @property {(query: { ref: object, argument: object, context?: object }) => Promise<any>} complete the completion
 * @property {(level: string) => Promise<unknown>} setLogLevel
 * @property {(filter: WatchFilter, listener: (change: string) => void) => Promise<() => Promise<unknown>>} watch tells
 *   of the list that changed or the URI that was updated; returns what ends it
 * @property {(tools: string[]) => Promise<any[]>} [batch] calls tools without arguments, in one message
 * @property {() => Promise<unknown>} close
 *
 * @typedef {{ onProgress?: (progress: any) => void, signal?: AbortSignal }} CallOptions
 * @typedef {{ tools?: boolean, prompts?: boolean, uri?: string }} WatchFilter
 */

/**
 * How a client is made: which server it starts or reaches, and in which revision it speaks to it.
 *
 * @typedef {object} Connecting
 * @property {Target} target
 * @property {string | undefined} revision the one to speak; undefined to find out
 * @property {import('./application.js').Application} application
 * @property {boolean} [byFetch] whether a client that can do without `fetch` sends with it
 * @property {import('./sign-in.js').SignIn | undefined} [signIn] undefined where nobody has to
 *
 * @typedef {{ transport: 'stdio', command: string, args: string[] } | { transport: 'http' | 'sse', url: string }} Target
 */

/** @param {any} error */
export function errorOf(error) {
  const { code, message, data } = error;
  return { code, message, data };
}
