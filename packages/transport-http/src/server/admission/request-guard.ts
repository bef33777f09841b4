import {
  type Admitted,
  ErrorCode,
  type Guard,
  type GuardedRequest,
  type GuardTarget,
  type HttpRefusal,
  type Principal,
} from '@tenon/mcp-protocol';
import { onlyGuard } from '@tenon/mcp-protocol/internal';
import type { ServerGuard } from '../call/application.js';
import type { HttpCall } from '../call/http-call.js';
import { internalError, refuse } from '../call/refusal.js';
import { Cors } from './cors.js';
import { areSendable, sendDocument } from './guard-documents.js';
import { HostRules } from './host-rules.js';
import { locatedNetworkOf } from './network.js';
import type { RequestGuardOptions } from './request-guard-options.js';
import { bearerDemand, checkedDemand, type Demand } from './scopes-lacking.js';

type Enter = (principal: Principal | undefined) => void;
type Identity = Principal | Admitted | HttpRefusal | undefined;

const twoAnswers =
  'A guard and authenticate both authenticate callers: leave authenticate out if the server has a guard.';
const unprotected: HttpRefusal = {
  status: 500,
  reason:
    'This server has entries that need scopes, and nothing authenticates its callers. Its error log says what to do.',
  code: ErrorCode.internalError,
};
const unknownCaller =
  'A guard must return a principal with a string as its id, or a refusal, and valid headers.';

/** Checks host, origin and authorization of each request before anything of it is parsed. */
export class RequestGuard implements GuardTarget {
  readonly #rules: HostRules;
  readonly #cors: Cors | undefined;
  readonly #authenticate: RequestGuardOptions['authenticate'];
  readonly #remoteAddress: RequestGuardOptions['remoteAddress'];
  readonly #onError: (error: unknown, where: string) => void;
  readonly #serverGuard: ServerGuard;
  #own: Guard | undefined;
  /** True if unauthenticated callers are accepted. */
  #open = false;
  #demand: { readonly of: Guard; readonly checked: Demand } | undefined;

  /**
   * @param serverGuard - the guard that the application may have, now or later.
   * @throws TypeError if a host or an origin is malformed, or if both a guard and `authenticate` are set.
   */
  constructor(
    options: RequestGuardOptions,
    onError: (error: unknown, where: string) => void,
    serverGuard: ServerGuard = {},
  ) {
    const { cors } = options;
    this.#rules = new HostRules(options);
    this.#cors = cors ? new Cors(cors === true ? {} : cors) : undefined;
    this.#authenticate = options.authenticate;
    this.#remoteAddress = options.remoteAddress;
    this.#onError = onError;
    this.#serverGuard = serverGuard;
    if (this.#authenticate !== undefined && serverGuard.guard !== undefined) throw new TypeError(twoAnswers);
  }

  guard(guard: Guard): this {
    if (this.#authenticate !== undefined) throw new TypeError(twoAnswers);
    this.#own = onlyGuard(guard, this.#own ?? this.#serverGuard.guard);
    this.close();
    return this;
  }

  /**
   * Checks that unauthenticated callers may be accepted, if nothing authenticates callers.
   * @throws TypeError if the application has entries that need scopes.
   */
  open(): void {
    const authenticates = this.#own ?? this.#serverGuard.guard ?? this.#authenticate;
    if (this.#open || authenticates !== undefined) return;
    this.#serverGuard.open?.();
    this.#open = true;
  }

  /** Reverses {@link open}. Safe to call twice. */
  close(): void {
    if (this.#open) this.#serverGuard.close?.();
    this.#open = false;
  }

  /**
   * Calls `enter` with the principal of the caller, or answers the request.
   * @param known - the application has authenticated the caller itself.
   */
  admit(call: HttpCall, enter: Enter, known = false): void {
    // Read for each request: a guard may be added after the server has started.
    const guard = this.#own ?? this.#serverGuard.guard;
    if (guard !== undefined && this.answersDocument(call)) return;
    const refusal = this.#rules.refusal(call);
    if (refusal !== undefined) {
      refuse(call, refusal);
      return;
    }
    if (this.#cors?.answers(call)) return;
    if (this.#remoteAddress !== undefined && !this.#locate(call, this.#remoteAddress)) return;
    if (guard !== undefined) this.#ask(call, guard, enter);
    else if (this.#authenticate !== undefined) this.#identify(call, this.#authenticate, enter);
    else if (known) {
      call.guard = bearerDemand;
      enter(undefined);
    } else if (this.#open || this.#opens(call)) enter(undefined);
  }

  /** Returns false if the request is rejected, because nothing authenticates its caller and an entry needs scopes. */
  #opens(call: HttpCall): boolean {
    try {
      this.open();
      return true;
    } catch (error) {
      this.#onError(error, 'http');
      refuse(call, unprotected);
      return false;
    }
  }

  /** Answers a request for a public document of the guard; returns false for any other. */
  answersDocument(call: HttpCall): boolean {
    const guard = this.#own ?? this.#serverGuard.guard;
    const document = guard?.documents.get(pathOf(call.url));
    if (document === undefined) return false;
    const refusal = this.#rules.hostRefusal(call);
    if (refusal === undefined) sendDocument(call, document);
    else refuse(call, refusal);
    return true;
  }

  /** Rejects a request for a page if its host or origin is not allowed; returns false if it is. */
  rejectsPage(call: HttpCall): boolean {
    const refusal = this.#rules.pageRefusal(call);
    if (refusal !== undefined) refuse(call, refusal);
    return refusal !== undefined;
  }

  #ask(call: HttpCall, guard: Guard, enter: Enter): void {
    let asked: Identity | Promise<Identity>;
    try {
      asked = guard.admit(requestOf(call));
    } catch (error) {
      this.#failed(call, error, 'guard');
      return;
    }
    call.guard = this.#demandOf(guard);
    const decide = (identity: Identity) => {
      if (isKnown(identity)) this.#decide(call, identity, enter);
      else this.#failed(call, new TypeError(unknownCaller), 'guard');
    };
    if (asked instanceof Promise) {
      asked.then(decide).catch((error: unknown) => this.#failed(call, error, 'guard'));
    } else decide(asked);
  }

  #identify(
    call: HttpCall,
    authenticate: NonNullable<RequestGuardOptions['authenticate']>,
    enter: Enter,
  ): void {
    call.guard = bearerDemand;
    identityOf(call, authenticate)
      .then((identity) => this.#decide(call, identity, enter))
      .catch((error: unknown) => this.#failed(call, error, 'authenticate'));
  }

  #decide(call: HttpCall, identity: Identity, enter: Enter): void {
    if (call.closed) return;
    if (identity === undefined || !('status' in identity)) {
      enter(principalOf(call, identity));
      return;
    }
    if (identity.cause !== undefined) this.#onError(identity.cause, 'authorization');
    refuse(call, identity);
  }

  #demandOf(guard: Guard): Demand {
    if (this.#demand?.of !== guard)
      this.#demand = { of: guard, checked: checkedDemand(guard, this.#onError) };
    return this.#demand.checked;
  }

  #failed(call: HttpCall, error: unknown, where: string): void {
    this.#onError(error, where);
    refuse(call, internalError);
  }

  /** Calls the operator's `remoteAddress`. Returns false if that failed and the request was rejected. */
  #locate(call: HttpCall, locate: NonNullable<RequestGuardOptions['remoteAddress']>): boolean {
    try {
      const located = locate(requestOf(call));
      if (located !== undefined) call.remoteAddress = locatedNetworkOf(located);
      return true;
    } catch (error) {
      this.#failed(call, error, 'remoteAddress');
      return false;
    }
  }
}

async function identityOf(
  call: HttpCall,
  authenticate: NonNullable<RequestGuardOptions['authenticate']>,
): Promise<Identity> {
  const identity = await authenticate(requestOf(call));
  if (identity === undefined || identity === null) return undefined;
  if (isKnown(identity)) return identity;
  throw new TypeError(
    'authenticate must return a principal with a string as its id, a refusal or undefined.',
  );
}

/** Without an id all callers would share one identity, and could use each other's sessions. */
function isKnown(identity: Identity): identity is Principal | Admitted | HttpRefusal {
  if (typeof identity !== 'object' || identity === null) return false;
  if ('status' in identity) return isStatus(identity.status) && areSendable(identity.headers);
  if ('principal' in identity)
    return typeof identity.principal?.id === 'string' && areSendable(identity.headers);
  return typeof identity.id === 'string';
}

function isStatus(status: unknown): boolean {
  return Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
}

/** Returns the principal, after adding the headers of the guard to the response. */
function principalOf(call: HttpCall, identity: Principal | Admitted | undefined): Principal | undefined {
  if (identity === undefined || !('principal' in identity)) return identity;
  call.addHeaders(identity.headers);
  return identity.principal;
}

function requestOf(call: HttpCall): GuardedRequest {
  return { method: call.method, url: call.url, header: (name) => call.header(name.toLowerCase()) };
}

/** Returns the path of a URL without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
