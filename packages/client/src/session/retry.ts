import { ErrorCode, RemoteError, SessionError, type Tool, TransportError } from '@tenon/mcp-protocol';
import type { Session } from './session.js';

/** Methods that only read: they may be sent again after a lost answer. */
const reading: ReadonlySet<string> = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]);

/** True if the server no longer knows the session or the revision, so that it did not handle the request. */
export function isUnhandled(error: unknown, { revision }: Session): error is Error {
  if (error instanceof RemoteError)
    return revision.rules.standalone && error.code === ErrorCode.unsupportedProtocolVersion;
  return error instanceof TransportError && error.unhandled;
}

/** True if the server refused the request since it is closing: no part of the request began, and another process may handle it. */
export function isTurnedAway(error: unknown): boolean {
  return error instanceof RemoteError && error.code === ErrorCode.shuttingDown;
}

/** The waits between attempts to send a request that servers did not handle. */
export interface RefusalWaits {
  /** Returns the session for the next attempt, after a wait; undefined if there must be none. */
  afterRefusal(failed: Session, attempt: number, signal?: AbortSignal): Promise<Session | undefined>;
  /** Replaces a session that is lost. Returns the next one; undefined if there must be none. */
  afterLoss(
    failed: Session,
    { reason, attempt, signal }: { reason: Error; attempt: number; signal?: AbortSignal | undefined },
  ): Promise<Session | undefined>;
}

/** A request that closing servers may refuse, and that connections may lose before a server has it. */
export interface Refusable {
  readonly session: Session;
  /** The number of the next attempt. Default: 1. */
  readonly attempt?: number;
  readonly signal?: AbortSignal | undefined;
  /** True if it fits sessions of every revision. Default: only those of the revision of `session`. */
  readonly fitsAll?: boolean;
}

/** Sends a request, and again while servers certainly did not handle it, within the limits of reconnecting. */
export async function pastRefusals<T>(
  waits: RefusalWaits,
  send: (session: Session) => Promise<T>,
  { session, attempt = 1, signal, fitsAll = false }: Refusable,
): Promise<T> {
  try {
    return await send(session);
  } catch (error) {
    let next: Session | undefined;
    if (isTurnedAway(error)) next = await waits.afterRefusal(session, attempt, signal);
    else if (isUnhandled(error, session))
      next = await waits.afterLoss(session, { reason: error, attempt, signal });
    // The next server may be another one.
    if (next === undefined || (!fitsAll && next.revision !== session.revision)) throw error;
    return pastRefusals(waits, send, { session: next, attempt: attempt + 1, signal, fitsAll });
  }
}

/** The option of a call that decides whether it may be sent again. */
interface Repeatable {
  readonly idempotent?: boolean;
}

/** The part of a request that decides whether it may be sent again. */
export interface SentRequest {
  readonly method: string;
  readonly params: object;
  readonly options: Repeatable | undefined;
}

/** The tools with listed annotations that allow to repeat a call after a lost answer. */
export class RepeatableTools {
  readonly #names = new Set<string>();
  readonly #limit: number;

  /** @param limit - stored tools; the oldest is dropped. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Stores the tools of a page. */
  remember(tools: readonly Tool[]): void {
    for (const { name, annotations } of tools) {
      this.#names.delete(name);
      if (annotations?.readOnlyHint === true || annotations?.idempotentHint === true) this.#names.add(name);
    }
    for (const name of this.#names) {
      if (this.#names.size <= this.#limit) break;
      this.#names.delete(name);
    }
  }

  /** Drops all: the server's tools have changed. */
  forget(): void {
    this.#names.clear();
  }

  /** True if a request with a lost answer may be sent again: by option of the call, by method, or by annotation of the tool. */
  allow({ method, params, options }: SentRequest): boolean {
    const { idempotent } = options ?? {};
    if (idempotent !== undefined) return idempotent;
    return (
      reading.has(method) ||
      (method === 'tools/call' && this.#names.has((params as { readonly name: string }).name))
    );
  }
}

/** True if the answer of a request was lost with its connection or exchange, and the server may still run. */
export function isLostAnswer({ endpoint, revision }: Session, error: unknown): boolean {
  const { standalone } = revision.rules;
  if (error instanceof TransportError) return standalone && isBroken(error);
  const lost = error instanceof SessionError && error.reason === 'closed';
  // Over HTTP a session may end while the server continues; a server process that is gone has lost more than a session.
  return lost && (standalone || endpoint.connection.carriesHeaders === true);
}

/** True if the exchange failed for a reason that need not affect another one. */
function isBroken({ status }: TransportError): boolean {
  return status === undefined || status < 300;
}
