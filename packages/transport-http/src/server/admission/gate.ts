import type { Admitted, Guard, Guardable, GuardedRequest, HttpRefusal, Principal } from '@tenon/mcp-protocol';
import { onlyGuard } from '@tenon/mcp-protocol/internal';
import type { Guarding } from '../endpoint/application.js';
import type { HttpCall } from '../endpoint/http-call.js';
import { internalError, refuse } from '../endpoint/refusal.js';
import { Cors } from './cors.js';
import type { GateOptions } from './gate-options.js';
import { sendDocument } from './guard-documents.js';
import { areSendable } from './guard-headers.js';
import { HostRules } from './host-rules.js';
import { toldNetworkOf } from './network.js';
import { bearerDemand, type Demand, heardDemand } from './scopes-lacking.js';

type Enter = (principal: Principal | undefined) => void;
type Identity = Principal | Admitted | HttpRefusal | undefined;

const twoAnswers =
  'A guard tells who is calling, and so does authenticate: leave authenticate out where a server is protected.';
const unknownCaller =
  'A guard must give a principal, whose id is a string, or a refusal, and headers that can be sent.';

/** Who gets in: checks that run before anything of a request is parsed. */
export class Gate implements Guardable {
  readonly #rules: HostRules;
  readonly #cors: Cors | undefined;
  readonly #authenticate: GateOptions['authenticate'];
  readonly #remoteAddress: GateOptions['remoteAddress'];
  readonly #onError: (error: unknown, where: string) => void;
  readonly #guarding: Guarding;
  #own: Guard | undefined;
  #demand: { readonly of: Guard; readonly heard: Demand } | undefined;

  /**
   * @param guarding - what else may have a guard, now or later.
   * @throws TypeError for a host or an origin that is none, and where two would tell who is calling.
   */
  constructor(
    options: GateOptions,
    onError: (error: unknown, where: string) => void,
    guarding: Guarding = {},
  ) {
    const { cors } = options;
    this.#rules = new HostRules(options);
    this.#cors = cors ? new Cors(cors === true ? {} : cors) : undefined;
    this.#authenticate = options.authenticate;
    this.#remoteAddress = options.remoteAddress;
    this.#onError = onError;
    this.#guarding = guarding;
    if (this.#authenticate !== undefined && guarding.guard !== undefined) throw new TypeError(twoAnswers);
  }

  guard(guard: Guard): this {
    if (this.#authenticate !== undefined) throw new TypeError(twoAnswers);
    this.#own = onlyGuard(guard, this.#own ?? this.#guarding.guard);
    return this;
  }

  /** Calls `enter` with who is calling, or answers the request. */
  admit(call: HttpCall, enter: Enter): void {
    // Read each time: a server may be protected after it was served.
    const guard = this.#own ?? this.#guarding.guard;
    if (guard !== undefined && this.tells(call)) return;
    const refusal = this.#rules.refusal(call);
    if (refusal !== undefined) {
      refuse(call, refusal);
      return;
    }
    if (this.#cors?.answers(call)) return;
    if (this.#remoteAddress !== undefined && !this.#locate(call, this.#remoteAddress)) return;
    if (guard !== undefined) this.#ask(call, guard, enter);
    else if (this.#authenticate === undefined) enter(undefined);
    else this.#identify(call, this.#authenticate, enter);
  }

  /** Answers a request for what everybody may read; false for any other. */
  tells(call: HttpCall): boolean {
    const guard = this.#own ?? this.#guarding.guard;
    const document = guard?.documents.get(pathOf(call.url));
    if (document === undefined) return false;
    const refusal = this.#rules.hostRefusal(call);
    if (refusal === undefined) sendDocument(call, document);
    else refuse(call, refusal);
    return true;
  }

  /** Answers a request for a page whose host or origin keeps it away; false for any other. */
  bars(call: HttpCall): boolean {
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

  #identify(call: HttpCall, authenticate: NonNullable<GateOptions['authenticate']>, enter: Enter): void {
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
    if (this.#demand?.of !== guard) this.#demand = { of: guard, heard: heardDemand(guard, this.#onError) };
    return this.#demand.heard;
  }

  #failed(call: HttpCall, error: unknown, where: string): void {
    this.#onError(error, where);
    refuse(call, internalError);
  }

  /** Has the operator tell where a request comes from; false when that failed, and the request is refused. */
  #locate(call: HttpCall, locate: NonNullable<GateOptions['remoteAddress']>): boolean {
    try {
      const told = locate(requestOf(call));
      if (told !== undefined) call.remoteAddress = toldNetworkOf(told);
      return true;
    } catch (error) {
      this.#failed(call, error, 'remoteAddress');
      return false;
    }
  }
}

async function identityOf(
  call: HttpCall,
  authenticate: NonNullable<GateOptions['authenticate']>,
): Promise<Identity> {
  const identity = await authenticate(requestOf(call));
  if (identity === undefined || identity === null) return undefined;
  if (isKnown(identity)) return identity;
  throw new TypeError('authenticate must give a principal, whose id is a string, a refusal or undefined.');
}

/** Without an id everybody would be the same somebody, and find each other's sessions. */
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

/** Who is calling, once the answer has what it is to carry. */
function principalOf(call: HttpCall, identity: Principal | Admitted | undefined): Principal | undefined {
  if (identity === undefined || !('principal' in identity)) return identity;
  call.addHeaders(identity.headers);
  return identity.principal;
}

function requestOf(call: HttpCall): GuardedRequest {
  return { method: call.method, url: call.url, header: (name) => call.header(name.toLowerCase()) };
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
