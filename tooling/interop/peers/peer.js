/**
 * A connected client of any framework, as the suites use it. Values are the return values of the client's own API.
 *
 * @typedef {object} Peer
 * @property {() => string | undefined} revision
 * @property {() => any} server the server info
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
 * @property {(filter: WatchFilter, listener: (change: string) => void) => Promise<() => Promise<unknown>>} watch notifies
 *   of the list that changed or the URI that was updated; resolves with a function that ends it
 * @property {() => Promise<LoadedSkill[]>} [skills] lists the skills, and loads and verifies each with all of its files
 * @property {(uri: string) => Promise<any[]>} [directory]
 * @property {(uri: string) => Promise<any>} [skill] the entry of one skill
 * @property {() => Promise<TaskPeer>} [tasks] connects once another client of the same framework, which can call tools as tasks, to
 *   the same server; over stdio to a server of its own
 * @property {(tools: string[]) => Promise<any[]>} [batch] calls tools without arguments, in one message
 * @property {() => Promise<unknown>} close
 *
 * @typedef {{ uri: string, frontmatter: any, body: string, files: Record<string, string> }} LoadedSkill the files by path, in
 *   base64 if they are not text
 * @typedef {object} TaskPeer
 * @property {(name: string, args: Record<string, any>) => Promise<StartedCall>} call as a task, if the client decides;
 *   resolves when the call has ended or become a task
 * @property {(reference: string) => Promise<StartedCall>} resume follows a task again
 * @property {() => Promise<unknown>} close
 *
 * @typedef {object} StartedCall
 * @property {boolean} isTask
 * @property {() => Promise<{ states: string[], status: string, result?: any, error?: any }>} end resolves when the call has ended, with
 *   the states of its task in the order in which each was first seen
 * @property {() => Promise<unknown>} cancel
 * @property {() => Promise<string>} state requests the state of the task
 * @property {() => Promise<string>} leave stops following the task, and returns its reference as text
 *
 * @typedef {{ onProgress?: (progress: any) => void, signal?: AbortSignal }} CallOptions
 * @typedef {{ tools?: boolean, prompts?: boolean, uri?: string }} WatchFilter
 */

/**
 * The settings of a client: the server it starts or connects to, and the revision.
 *
 * @typedef {object} Connecting
 * @property {Target} target
 * @property {string} [name] in the client info; default `interop`
 * @property {string | undefined} revision undefined to negotiate
 * @property {import('./application.js').Application} application
 * @property {boolean} [byFetch] true if a client that can do without `fetch` must use it
 * @property {import('./sign-in.js').SignIn | undefined} [signIn] undefined for servers without authorization
 * @property {import('../run/columns.js').SignInBy | undefined} [signInBy] undefined for the sign-in of the client itself
 *
 * @typedef {{ transport: 'stdio', command: string, args: string[] } | { transport: 'http' | 'sse', url: string, headers?: Record<string, string> }} Target
 */

/** @param {any} error */
export function errorOf(error) {
  const { code, message, data } = error;
  return { code, message, data };
}
