import {
  type DiscoverResult,
  type Implementation,
  type Revision,
  type ServerCapabilities,
  SessionError,
} from '@tenon/mcp-protocol';
import type { Endpoint } from '@tenon/mcp-session';

/** One connection with its negotiated revision, and the server info. */
export interface Session {
  readonly endpoint: Endpoint;
  readonly revision: Revision;
  readonly capabilities: ServerCapabilities;
  /** Absent if the server does not send it. Not verified: for display and logs. */
  readonly server: Implementation | undefined;
  readonly instructions: string | undefined;
  /** True if the server did not confirm the revision in the probe: the next connection probes again. */
  readonly inDoubt?: true;
  /** The whole description of a server in a stateless revision. */
  readonly description?: DiscoverResult;
}

/** True if some params of tool calls are repeated in headers. */
export function mirrorsParams({ endpoint, revision }: Session): boolean {
  return revision.rules.mirroredHeaders && endpoint.connection.carriesHeaders === true;
}

type Declared = (capabilities: ServerCapabilities, revision: Revision) => unknown;

const tools: Declared = (capabilities) => capabilities.tools;
const resources: Declared = (capabilities) => capabilities.resources;
const prompts: Declared = (capabilities) => capabilities.prompts;

const needed: ReadonlyMap<string, readonly [name: string, declared: Declared]> = new Map([
  ['tools/list', ['tools', tools]],
  ['tools/call', ['tools', tools]],
  ['resources/list', ['resources', resources]],
  ['resources/templates/list', ['resources', resources]],
  ['resources/read', ['resources', resources]],
  ['resources/subscribe', ['resources.subscribe', (given) => given.resources?.subscribe]],
  ['resources/unsubscribe', ['resources.subscribe', (given) => given.resources?.subscribe]],
  ['prompts/list', ['prompts', prompts]],
  ['prompts/get', ['prompts', prompts]],
  [
    'completion/complete',
    ['completions', (given, { rules }) => !rules.completionsDeclared || given.completions],
  ],
  ['logging/setLevel', ['logging', (given) => given.logging]],
]);

/**
 * Checks that the server offers a method.
 * @throws SessionError `capability-missing`.
 */
export function requireCapability(session: Session, method: string): void {
  const entry = needed.get(method);
  if (entry === undefined || entry[1](session.capabilities, session.revision)) return;
  throw missingCapability(entry[0], method);
}

/** Returns the error for an undeclared capability of the server. */
export function missingCapability(capability: string, what: string): SessionError {
  return new SessionError(
    'capability-missing',
    `The server did not declare the capability "${capability}", which ${what} needs.`,
  );
}
