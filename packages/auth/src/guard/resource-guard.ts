import { withinTime } from '@tenon/foundation';
import {
  type Admitted,
  ErrorCode,
  type Guard,
  type GuardedRequest,
  type GuardTarget,
  type HttpRefusal,
  type Principal,
} from '@tenon/mcp-protocol';
import type {
  NextNonce,
  PresentedProof,
  ProofCheck,
  TokenRealm,
  Verified,
  Verify,
} from '../verifiers/verify.js';
import { type Presented, presentedIn } from './bearer.js';
import { isQuotable } from './challenge.js';
import { type ChallengeContent, ChallengeHeaders } from './challenge-headers.js';
import { principalOf } from './principal.js';
import {
  type RefusedRequest,
  type ResourceGuardOptions,
  type ResourceGuardSettings,
  resourceGuardSettings,
} from './resource-guard-options.js';
import { documentsOf } from './resource-metadata-document.js';

/** The reason for a rejection. */
interface Reason extends Pick<RefusedRequest, 'error' | 'reason' | 'principal'> {
  readonly status: 400 | 401 | 403;
  readonly scheme?: ChallengeContent['scheme'];
  readonly scopes?: readonly string[];
  /** The nonce that the next proof must contain. */
  readonly nonce?: string | undefined;
}

/** Seconds until a client may retry after its token could not be checked. */
const retryAfter = '5';

/** The result of {@link ResourceGuard.admit}. */
type Answer = Principal | Admitted | HttpRefusal;
type Verdict = Principal | Admitted | Reason;
type Judgement = Verdict | Promise<Verdict>;

/**
 * Accepts only requests with a valid token for this server.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#access-token-usage
 */
export class ResourceGuard implements Guard {
  readonly documents: ReadonlyMap<string, string>;
  readonly #settings: ResourceGuardSettings;
  readonly #challenges: ChallengeHeaders;
  readonly #realm: TokenRealm;
  /** Callers with tokens that are bound to a key. */
  readonly #bound = new WeakSet<Principal>();

  /** @throws TypeError or RangeError if an option is invalid. */
  constructor(options: ResourceGuardOptions) {
    const settings = resourceGuardSettings(options);
    const { resource, authorizationServers, clock } = settings;
    this.#settings = settings;
    this.#challenges = new ChallengeHeaders(settings);
    this.#realm = { resource, authorizationServers, clock };
    this.documents = documentsOf(settings);
  }

  /** Synchronous if `verify` is. */
  admit(request: GuardedRequest): Answer | Promise<Answer> {
    const presented = presentedIn(request, this.#settings.bounds.tokenLength);
    if (presented === undefined) return this.#refuse({ status: 401, reason: noToken }, request);
    if ('problem' in presented)
      return this.#refuse({ status: 400, error: 'invalid_request', reason: presented.problem }, request);
    return this.#check(presented, request);
  }

  demand(scopes: readonly string[], principal: Principal | undefined): HttpRefusal {
    const reason = lacking(this.#settings.scopes.with(scopes), principal);
    const scheme = principal !== undefined && this.#bound.has(principal) ? 'DPoP' : undefined;
    return this.#refuse({ ...reason, scheme });
  }

  #check(presented: Presented, request: GuardedRequest): Answer | Promise<Answer> {
    const answer = (verdict: Verdict) =>
      'status' in verdict ? this.#refuse({ scheme: presented.scheme, ...verdict }, request) : verdict;
    try {
      const judgement = this.#judge(presented, request);
      if (!(judgement instanceof Promise)) return answer(judgement);
      return this.#inTime(judgement)
        .then(answer)
        .catch((cause: unknown) => this.#unavailable(cause, request));
    } catch (cause) {
      return this.#unavailable(cause, request);
    }
  }

  #inTime(judgement: Promise<Verdict>): Promise<Verdict> {
    const { clock, bounds } = this.#settings;
    const ms = bounds.verifyTime;
    return withinTime(judgement, { clock, ms }, () => {
      throw new Error(`Checking a token took longer than ${ms / 1_000} s.`);
    });
  }

  #judge(presented: Presented, request: GuardedRequest): Judgement {
    const { scheme, token } = presented;
    const { verify, dpop, dpopRequired } = this.#settings;
    if (scheme === 'DPoP' && dpop === undefined) return invalid('This server accepts only Bearer tokens.');
    if (scheme === 'Bearer' && dpopRequired)
      return invalid('This server accepts only DPoP tokens, with a proof of their key.');
    const result = verify(token, request, this.#realm);
    if (!isPromise(result)) return this.#judged(result, presented, request);
    return Promise.resolve(result).then((verified) => this.#judged(verified, presented, request));
  }

  #judged(verified: Awaited<ReturnType<Verify>>, presented: Presented, request: GuardedRequest): Judgement {
    const { clock } = this.#settings;
    if (verified === undefined || verified === null) return invalid('The token is not valid here.');
    if ('rejected' in verified) return invalid(String(verified.rejected));
    if (verified.expiresAt !== undefined && clock.now() >= verified.expiresAt)
      return invalid('The token has expired.');
    const principal = principalOf(verified, this.#settings);
    const proven = this.#proven(verified, presented, request);
    if (!(proven instanceof Promise)) return this.#entering(verified, principal, proven);
    return proven.then((known) => this.#entering(verified, principal, known));
  }

  #entering(verified: Verified, principal: Principal, proven: Reason | NextNonce | undefined): Verdict {
    const { scopes } = this.#settings;
    if (proven !== undefined && 'status' in proven) return proven;
    if (verified.boundKey !== undefined) this.#bound.add(principal);
    const isLacking = scopes.required.some((scope) => principal.scopes?.includes(scope) !== true);
    if (isLacking) return { ...lacking(scopes.required, principal), nonce: proven?.nonce };
    return proven === undefined ? principal : { principal, headers: nonceHeader(proven.nonce) };
  }

  /** Checks the proof of a token. Returns the reason for a rejection, or the nonce for the next proof. */
  #proven(
    { boundKey }: Verified,
    { scheme, token }: Presented,
    request: GuardedRequest,
  ): Reason | undefined | Promise<Reason | NextNonce | undefined> {
    const { address, dpop } = this.#settings;
    if (boundKey === undefined)
      return scheme === 'DPoP' ? invalid('The token is not bound to a key: send it as Bearer.') : undefined;
    if (scheme === 'Bearer' || dpop === undefined)
      return invalid('The token is bound to a key: it cannot be used as Bearer.');
    const proof = request.header('dpop');
    if (proof === undefined)
      return { status: 401, error: 'invalid_dpop_proof', reason: 'The header DPoP is missing.' };
    const { method } = request;
    const path = pathOf(request);
    // A proxy may have removed the beginning of the path; clients use the path of the resource.
    const url = address.origin + (address.pathname.endsWith(path) ? address.pathname : path);
    return this.#proofOf({ proof, method, url, token, boundKey }, dpop);
  }

  async #proofOf(presented: PresentedProof, dpop: ProofCheck): Promise<Reason | NextNonce | undefined> {
    const problem = await dpop.check(presented, this.#realm);
    if (problem?.error === undefined) return problem;
    return { status: 401, error: problem.error, reason: problem.description, nonce: problem.nonce };
  }

  #refuse(reason: Reason, request?: GuardedRequest): HttpRefusal {
    const { status, scheme, error, reason: text, nonce, scopes = this.#settings.scopes.required } = reason;
    const description = error === undefined ? undefined : text;
    const challenge = this.#challenges.of({ scheme, error, description, scopes });
    return {
      status,
      reason: text,
      code: status === 400 ? ErrorCode.invalidRequest : ErrorCode.refused,
      headers: { 'www-authenticate': challenge, ...(nonce !== undefined && nonceHeader(nonce)) },
      ...this.#reportRefused({ status, error, reason: text, principal: reason.principal, scopes }, request),
    };
  }

  /** Answers 503 without a challenge: the token may be valid, so the client should not get another one. */
  #unavailable(cause: unknown, request: GuardedRequest): HttpRefusal {
    const status = 503;
    const reason = 'Tokens cannot be checked at present; try again later.';
    const { cause: more } = this.#reportRefused({ status, reason }, request);
    const causes = more === undefined ? cause : new AggregateError([cause, more], reason);
    return {
      status,
      reason,
      headers: { 'retry-after': retryAfter },
      code: ErrorCode.overloaded,
      cause: causes,
    };
  }

  /** Calls `onRefused`, and returns its error. */
  #reportRefused(refused: RefusedRequest, request: GuardedRequest | undefined): { readonly cause?: unknown } {
    try {
      const from = request && { method: request.method, path: pathOf(request) };
      const heard: unknown = this.#settings.onRefused?.({ ...refused, request: from });
      if (heard instanceof Promise) heard.catch(auditFailed);
      return {};
    } catch (cause) {
      return { cause };
    }
  }
}

/** True also for promises of another realm, and for other thenables. */
function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Writes a rejection of `onRefused` to the console, because an unhandled rejection would end the process. */
function auditFailed(error: unknown): void {
  console.error('protect: onRefused failed:', error);
}

/**
 * https://www.rfc-editor.org/rfc/rfc9449#section-8.1
 * @throws TypeError if the nonce is malformed.
 */
function nonceHeader(nonce: string): Readonly<Record<string, string>> {
  if (isQuotable(nonce)) return { 'dpop-nonce': nonce };
  throw new TypeError('The check of the option dpop must return nonces of printable ASCII.');
}

const noToken = 'This server requires an access token; WWW-Authenticate says where to get one.';

function invalid(reason: string): Reason {
  return { status: 401, error: 'invalid_token', reason };
}

function lacking(scopes: readonly string[], principal: Principal | undefined): Reason {
  const reason = `This requires the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.join(' ')}.`;
  return { status: 403, error: 'insufficient_scope', reason, scopes, principal };
}

function pathOf({ url }: GuardedRequest): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/**
 * Requires a valid access token for the HTTP endpoints of a server, or for one HTTP handler of it; other requests are answered
 * with a challenge that says where to get a token. Call it before the server is served. If the URL is known only then, use the
 * option `guard` of `serveHttp` with a {@link ResourceGuard}; `serveHttp` rejects an unprotected server with `scopes`.
 * @throws TypeError or RangeError if an option is invalid, or if the server is already protected.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export function protect<Target extends GuardTarget>(target: Target, options: ResourceGuardOptions): Target {
  if (typeof target?.guard !== 'function') {
    throw new TypeError('protect() requires a server of createServer, or an HTTP handler of one.');
  }
  target.guard(new ResourceGuard(options));
  return target;
}
