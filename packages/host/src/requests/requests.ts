import { type Clock, randomId } from '@tenon/foundation';
import { redact, redactText } from '@tenon/foundation/redaction';
import { ErrorCode, type JsonValue, RpcError } from '@tenon/mcp-protocol';
import { type AccessControl, AccessDenied, type Permit } from '../access/access-control.js';
import type { AccessRequest } from '../access/access-request.js';
import type { AuditLog, AuditOutcome, AuditRecord } from '../audit/audit-log.js';
import { HostError } from '../host-error.js';

export interface RequestsParts {
  readonly access: AccessControl;
  readonly audit: AuditLog | undefined;
  /** The time of day, in milliseconds since 1970. */
  readonly now: () => number;
  readonly clock: Clock;
  readonly onError: (error: unknown, where: string) => void;
}

/** Characters of JSON of an input that are recorded; of a longer one, only its length is. */
const longestInput = 16_384;

/** The record of a request that returned a value, as far as its value tells. */
export interface Ending {
  /** Input requests of the server during the request. */
  readonly rounds?: number;
  /** The outcome if it is another than `done`, and its reason, such as the text of a tool that reports an error. */
  readonly ended?:
    | { readonly outcome: 'failed' | 'refused' | 'cancelled'; readonly reason: string }
    | undefined;
}

export interface PerformOptions<T> {
  readonly signal: AbortSignal | undefined;
  /** Called only if requests are recorded. */
  readonly endingOf?: (value: T) => Ending;
}

/** Does the work of a request of one server if it is permitted, and records it. */
export type Permitted = <T>(
  request: AccessRequest,
  work: () => Promise<T>,
  options: PerformOptions<T>,
) => Promise<T>;

/** The one path of every request to a server: it is permitted, recorded, done, and its outcome recorded. */
export class Requests {
  readonly #parts: RequestsParts;
  readonly #completing: ((request: AccessRequest) => AccessRequest)[] = [];

  constructor(parts: RequestsParts) {
    this.#parts = parts;
  }

  /** Adds a function that completes each request before it is decided on, such as with the skills in use. */
  complete(request: (given: AccessRequest) => AccessRequest): void {
    this.#completing.push(request);
  }

  /**
   * Does the work of a request if it is permitted and can be recorded.
   * @param work - must not throw, but reject.
   * @throws AccessDenied; HostError `audit`, `unrecorded` or `limit`; the errors of `work`; the reason of the signal.
   */
  perform<T>(
    given: AccessRequest,
    work: (permit: Permit) => Promise<T>,
    options: PerformOptions<T>,
  ): Promise<T> {
    const { access, audit } = this.#parts;
    let request = given;
    // Not an async function: another promise for each call is measurable.
    try {
      for (const complete of this.#completing) request = complete(request);
      if (audit !== undefined) return this.#recorded(request, work, { ...options, audit });
      const permit = access.permit(request, options.signal);
      return permit instanceof Promise ? permit.then(work) : work(permit);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #recorded<T>(
    request: AccessRequest,
    work: (permit: Permit) => Promise<T>,
    { signal, endingOf, audit }: PerformOptions<T> & { readonly audit: AuditLog },
  ): Promise<T> {
    const id = randomId();
    const permit = await this.#permit(request, { audit, id, signal });
    const shown =
      permit.args === undefined || request.kind !== 'tool' ? request : { ...request, args: permit.args };
    const record = { ...recordOf(shown, id), decision: 'allow', decidedBy: permit.decidedBy } as const;
    await this.#append(audit, { ...record, time: this.#parts.now(), outcome: 'running' }, request);
    const { clock, now } = this.#parts;
    const start = clock.now();
    const end = (outcome: AuditOutcome, more: Partial<AuditRecord>) => {
      const ms = Math.round(clock.now() - start);
      return this.#append(audit, { ...record, ...more, time: now(), ms, outcome }, request);
    };
    let value: T;
    try {
      value = await work(permit);
    } catch (error) {
      await end(outcomeOf(error, signal), { reason: textOf(error) }).catch((unrecorded: unknown) => {
        this.#parts.onError(error, 'request');
        throw unrecorded;
      });
      throw error;
    }
    const { rounds = 0, ended } = endingOf?.(value) ?? {};
    await end(ended?.outcome ?? 'done', {
      ...(rounds > 0 && { rounds }),
      ...(ended && { reason: textOf(ended.reason) }),
    });
    return value;
  }

  async #permit(
    request: AccessRequest,
    {
      audit,
      id,
      signal,
    }: { readonly audit: AuditLog; readonly id: string; readonly signal: AbortSignal | undefined },
  ): Promise<Permit> {
    const { access, now, onError } = this.#parts;
    try {
      return await access.permit(request, signal);
    } catch (error) {
      const decidedBy = error instanceof AccessDenied ? error.decidedBy : 'policy';
      const outcome = signal?.aborted ? 'cancelled' : 'refused';
      const record = { ...recordOf(request, id), time: now(), decision: 'deny', decidedBy, outcome } as const;
      // Nothing was sent: a refusal that cannot be recorded stays a refusal.
      await this.#append(audit, { ...record, reason: textOf(error) }, request).catch((failed: unknown) =>
        onError(failed, 'audit'),
      );
      throw error;
    }
  }

  async #append(audit: AuditLog, record: AuditRecord, { server }: AccessRequest): Promise<void> {
    try {
      await audit.append(record);
    } catch (cause) {
      const isSent = record.decision === 'allow' && record.outcome !== 'running';
      const text = `The audit log could not record ${isSent ? 'the outcome of the' : 'the'} request to ${server}`;
      const more = isSent ? 'It was sent, and its result is withheld: do not repeat it' : 'It was not sent';
      const failed = new HostError(isSent ? 'unrecorded' : 'audit', `${text}. ${more}.`, { server, cause });
      throw failed;
    }
  }
}

type Described = Omit<AuditRecord, 'time' | 'decision' | 'decidedBy' | 'outcome'>;

function recordOf(request: AccessRequest, id: string): Described {
  const { kind, server, name, origin } = request;
  const { way, user, turn, callId } = origin;
  const input = inputOf(request);
  return {
    // The command line of a program can have a secret; the query of a page often is one.
    ...{ id, kind, server, name: redactText(kind === 'page' ? name.replace(/[?#].*$/s, '') : name), way },
    ...('forTool' in request && { tool: request.forTool }),
    ...(user !== undefined && { user }),
    ...(turn !== undefined && { turn }),
    ...(callId !== undefined && { callId }),
    ...(input !== undefined && { input }),
  };
}

function inputOf(request: AccessRequest): JsonValue | undefined {
  switch (request.kind) {
    case 'tool':
    case 'prompt':
      return bounded(request.args);
    case 'sampling':
      return bounded({ messages: request.params.messages, systemPrompt: request.params.systemPrompt });
    case 'form':
      return bounded({
        message: request.params.message,
        fields: Object.keys(request.params.requestedSchema.properties),
      });
    case 'page':
      return bounded({ message: request.params.message });
    case 'start':
      return bounded({ folder: request.cwd ?? null, variables: request.variables });
    case 'roots':
      return bounded(request.roots.map(({ uri }) => uri));
    case 'skill':
      return bounded(request.digests ?? {});
    case 'skill-tools':
      return bounded(request.tools);
    default:
      return undefined;
  }
}

function bounded(value: unknown): JsonValue {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length > longestInput) return { omitted: `${text.length} characters` };
  return redact(JSON.parse(text)) as JsonValue;
}

function outcomeOf(error: unknown, signal: AbortSignal | undefined): AuditOutcome {
  if (error instanceof RpcError && error.code === ErrorCode.userRejected) return 'refused';
  if (error instanceof HostError && error.reason === 'denied') return 'refused';
  if (signal?.aborted) return 'cancelled';
  return error instanceof HostError && error.reason === 'unknown-outcome' ? 'unknown' : 'failed';
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return String(redact(text)).slice(0, 1_000);
}
