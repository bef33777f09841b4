import type { JsonValue } from '@tenon/mcp-protocol';
import type { AccessRequest, Way } from '../access/access-request.js';

/**
 * The outcome of a request. `running`: it was written before the request was sent, and another record with the same id follows. `unknown`: the server
 * went away, and may or may not have done it.
 */
export type AuditOutcome = 'running' | 'done' | 'failed' | 'refused' | 'cancelled' | 'unknown';

/** One thing that a host did or refused. */
export interface AuditRecord {
  /** The same for the two records of one request. */
  readonly id: string;
  /** The time of the record, in milliseconds since 1970. */
  readonly time: number;
  readonly kind: AccessRequest['kind'];
  readonly server: string;
  /** The tool, URI, prompt, command line or skill; the URL of a page without its query. */
  readonly name: string;
  /** The tool that was called, for an input request that belongs to a call. */
  readonly tool?: string;
  readonly way: Way;
  readonly user?: string;
  readonly turn?: string;
  /** The id that the model gave the call. */
  readonly callId?: string;
  /** The input, without secrets, bounded in size. */
  readonly input?: JsonValue;
  readonly decision: 'allow' | 'deny';
  /** The source of the decision: the policy, a remembered answer of the user, or the answer of the user to this request. */
  readonly decidedBy: 'policy' | 'grant' | 'consent';
  /** The reason of a refusal or failure. */
  readonly reason?: string;
  readonly outcome: AuditOutcome;
  /** Input requests that the server made during the request. */
  readonly rounds?: number;
  /** Milliseconds from the decision to the end. */
  readonly ms?: number;
}

/**
 * Receives the records of a host. A request is refused if its record cannot be appended, so `append` resolves only once the record is safe.
 */
export interface AuditLog {
  append(record: AuditRecord): void | Promise<void>;
  /** Called when the host closes. */
  close?(): void | Promise<void>;
}
