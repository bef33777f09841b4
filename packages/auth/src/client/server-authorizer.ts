import type {
  AuthorizationChallenge,
  AuthorizationHeaders,
  AuthorizedRequest,
  Authorizer,
  Clock,
  Revision,
} from '@tenon/mcp-protocol';
import { redactThoroughly } from '@tenon/redaction/thorough';
import { AuthError } from '../auth-error.js';
import { type BearerChallenge, bearerChallenge } from './challenges.js';
import type { Discovery } from './discovery.js';
import type { HeldTokens } from './held-tokens.js';
import type { RefusedScopes } from './refused-scopes.js';
import { includesAll, unionOf } from './scopes.js';
import type { ServerDiscovery } from './server-discovery.js';
import type { ServerTokens } from './server-tokens.js';
import { SharedTask } from './shared-task.js';
import type { WithoutServer } from './token-granting.js';

/** What {@link ServerAuthorizer} is made of. */
export interface ServerAuthorizerParts {
  readonly url: URL;
  readonly tokens: ServerTokens;
  readonly discovery: ServerDiscovery;
  readonly refused: RefusedScopes;
  readonly clock: Clock;
  /** Authorizations of one request, at most. */
  readonly maxAttempts: number;
  /** Milliseconds that new tokens which were refused are not replaced by others. */
  readonly pause: number;
  report(event: WithoutServer): void;
}

/** Why a request, or a sign-in, needs other tokens than there are. */
interface Refusal {
  readonly told: BearerChallenge | undefined;
  readonly revision: Revision | undefined;
  readonly attempt: number;
  /** The value of `Authorization` that was refused. */
  readonly sent: string | undefined;
  /** Scopes that are missing; undefined where it is no matter of scopes. */
  readonly missing: readonly string[] | undefined;
}

interface Flight {
  readonly refusal: Refusal;
  readonly task: SharedTask<void>;
}

/** Milliseconds before it is tried again to replace a token that is good still. */
const renewPause = 5_000;

/** Milliseconds that tokens count as new. */
const newFor = 60_000;

/** Authorizes the requests to one server. Whatever has to be done for that is done once, however many requests wait for it. */
export class ServerAuthorizer implements Authorizer {
  readonly #parts: ServerAuthorizerParts;
  readonly #origin: string;
  /** What the requests that wait are missing. */
  readonly #missing = new Set<readonly string[]>();
  #flight: Flight | undefined;
  #found: Discovery | undefined;

  constructor(parts: ServerAuthorizerParts) {
    this.#parts = parts;
    this.#origin = parts.url.origin;
  }

  authorize(
    request: AuthorizedRequest,
  ): AuthorizationHeaders | undefined | Promise<AuthorizationHeaders | undefined> {
    if (!this.#isOurs(request.url)) return undefined;
    const { tokens, clock } = this.#parts;
    const { held } = tokens;
    if (held !== undefined && clock.now() < held.renewAt) return held.headersFor(request);
    return tokens.isEmpty ? undefined : this.#prepared(request);
  }

  async challenged(challenge: AuthorizationChallenge): Promise<boolean> {
    const { request, status, attempt, revision, nonce } = challenge;
    if (!this.#isOurs(request.url) || (status !== 401 && status !== 403)) return false;
    const sent = challenge.sent?.authorization;
    const scheme = sent?.startsWith('DPoP ') === true ? 'DPoP' : 'Bearer';
    const told = bearerChallenge(challenge.authenticate, scheme);
    if (status === 403 && told?.error !== 'insufficient_scope') return false;
    if (attempt > this.#parts.maxAttempts) throw this.#tooOften(status);
    if (nonce !== undefined) {
      this.nonce(nonce);
      if (told?.error === 'use_dpop_nonce' && this.#parts.tokens.held?.signer !== undefined) return true;
    }
    const missing = status === 403 ? (told?.scopes ?? []) : undefined;
    await this.#satisfy({ told, revision, attempt, sent, missing }, challenge.signal);
    return true;
  }

  nonce(nonce: string): void {
    this.#parts.tokens.held?.signer?.nonce(this.#origin, nonce);
  }

  /** Has a user sign in, or a program obtain its token, unless that has been done; what was refused before is asked for again. */
  async signIn(signal?: AbortSignal): Promise<void> {
    const { tokens, refused, clock } = this.#parts;
    refused.clear();
    await tokens.load();
    const { held } = tokens;
    if (held !== undefined) {
      held.refusedAt = undefined;
      if (clock.now() < held.renewAt || (await tokens.renew(held))) return;
    }
    const refusal = { told: undefined, revision: undefined, attempt: 1, sent: undefined, missing: undefined };
    await this.#satisfy(refusal, signal);
  }

  /** Forgets the tokens, and whatever is under way. */
  async signOut(): Promise<void> {
    this.#flight?.task.giveUp(new AuthError('denied', 'Signed out while the sign-in was under way.'));
    this.#flight = undefined;
    this.#parts.discovery.forget();
    await this.#parts.tokens.signOut();
  }

  /** A token goes to the origin it is for, and nowhere else. */
  #isOurs(url: string): boolean {
    const origin = this.#origin;
    return (
      url.startsWith(origin) && (url.length === origin.length || '/?#'.includes(url.charAt(origin.length)))
    );
  }

  async #prepared(request: AuthorizedRequest): Promise<AuthorizationHeaders | undefined> {
    const { tokens, clock } = this.#parts;
    await tokens.load();
    const { held } = tokens;
    if (held !== undefined && clock.now() >= held.renewAt) await this.#renewed(held);
    const ready = tokens.held;
    return ready === undefined || ready.isExpired(clock.now()) ? undefined : ready.headersFor(request);
  }

  /** Has a token that is about to expire replaced, if it can be. @throws AuthError when that fails, and it is good no more. */
  async #renewed(held: HeldTokens): Promise<void> {
    const { tokens, clock } = this.#parts;
    try {
      // Perhaps they are good, and only not kept yet.
      if ((await tokens.save()) && held.resume(clock.now())) return;
      if (await tokens.renew(held)) return;
    } catch (error) {
      this.#failed(error);
      if (tokens.held === undefined || tokens.held.isExpired(clock.now())) throw error;
    }
    // For as long as it is good, the old one does, and no request waits for another in vain.
    tokens.held?.postpone(clock.now() + renewPause);
  }

  /** Returns when there are tokens that may be good enough for what was refused. */
  async #satisfy(refusal: Refusal, signal: AbortSignal | undefined): Promise<void> {
    const { missing } = refusal;
    if (missing !== undefined) this.#missing.add(missing);
    try {
      await this.#parts.tokens.load();
      while (!this.#isSatisfied(refusal)) {
        signal?.throwIfAborted();
        const joined = this.#flight;
        if (joined === undefined || joined.task.givenUp) {
          await this.#begin(refusal).task.join(signal);
          return;
        }
        try {
          await joined.task.join(signal);
        } catch (error) {
          // What somebody else was missing, and did not get, need not be what this one is missing.
          if (signal?.aborted || isAnswered(refusal, joined.refusal)) throw error;
        }
      }
    } finally {
      if (missing !== undefined) this.#missing.delete(missing);
    }
  }

  #isSatisfied({ sent, missing }: Refusal): boolean {
    const { held } = this.#parts.tokens;
    if (held === undefined || held.isExpired(this.#parts.clock.now()) || held.authorization === sent)
      return false;
    return missing === undefined || (missing.length > 0 && includesAll(held.scopes, missing));
  }

  #begin(first: Refusal): Flight {
    // All that wait are missing something: they are served by one sign-in.
    const missing = first.missing === undefined ? undefined : unionOf(...this.#missing);
    const refusal = { ...first, missing };
    const task = new SharedTask(async (signal) => {
      try {
        await (missing === undefined ? this.#replace(refusal, signal) : this.#stepUp(refusal, signal));
      } catch (error) {
        this.#failed(error);
        throw error;
      } finally {
        if (this.#flight === flight) this.#flight = undefined;
      }
    });
    const flight: Flight = { refusal, task };
    this.#flight = flight;
    return flight;
  }

  /** The token was refused, or there was none. */
  async #replace(refusal: Refusal, signal: AbortSignal): Promise<void> {
    const { tokens, clock, pause } = this.#parts;
    const { told, attempt, sent } = refusal;
    const now = clock.now();
    const { held: before } = tokens;
    const isTheOne = before !== undefined && before.authorization === sent;
    if (isTheOne && isWithin(pause, before.refusedAt, now)) throw this.#useless(before, 401, told);
    if (await tokens.reread(sent)) return;
    const found = await this.#find(refusal, signal);
    const held = await tokens.keepOnly(found);
    const isNew = held !== undefined && isTheOne && attempt > 1 && isWithin(newFor, held.since, now);
    if (held !== undefined && !(isNew && held.origin !== 'stored')) {
      if (held.tokens.refreshToken !== undefined && (await tokens.renew(held))) return;
    } else if (held?.origin === 'obtained' && includesAll(held.scopes, told?.scopes ?? [])) {
      // Who has just signed in would be asked once more, for the same.
      held.refusedAt = now;
      throw this.#useless(held, 401, told);
    }
    const mayBind = told?.dpop === true;
    await tokens.obtain({ found, challenged: told?.scopes, mayBind, isStepUp: false, signal });
  }

  /** The token has too few scopes. */
  async #stepUp(refusal: Refusal, signal: AbortSignal): Promise<void> {
    const { tokens } = this.#parts;
    const { told, sent, missing = [] } = refusal;
    if ((await tokens.reread(sent)) && this.#isSatisfied(refusal)) return;
    const found = await this.#find(refusal, signal);
    const held = await tokens.keepOnly(found);
    const wanted = missing.length > 0 ? missing : (found.resource.scopesSupported ?? []);
    if (held !== undefined && includesAll(held.scopes, wanted)) throw this.#useless(held, 403, told);
    const mayBind = told?.dpop === true || held?.signer !== undefined;
    await tokens.obtain({ found, challenged: missing, mayBind, isStepUp: held !== undefined, signal });
  }

  async #find({ told, revision, sent, missing }: Refusal, signal: AbortSignal): Promise<Discovery> {
    const { discovery, tokens, report } = this.#parts;
    const issuer = tokens.held?.owner.issuer;
    // Too few scopes say nothing of who issues tokens; a refused token may say that somebody else does by now.
    const anew = sent !== undefined && missing === undefined;
    const found = await discovery.find({ told, revision, issuer, anew, signal });
    if (found !== this.#found)
      report({ type: 'discovered', issuer: found.server.issuer, resource: found.resource.resource });
    this.#found = found;
    return found;
  }

  #tooOften(status: number): AuthError {
    const { maxAttempts } = this.#parts;
    return new AuthError(
      'refused',
      `${this.#origin} goes on refusing a request with HTTP ${status}, which was authorized ${maxAttempts} times.`,
      { status },
    );
  }

  #useless(held: HeldTokens, status: 401 | 403, told: BearerChallenge | undefined): AuthError {
    const scopes = held.scopes.join(' ').slice(0, 200);
    const what =
      status === 401
        ? 'a token that is new: the server and its authorization server do not agree, or the user may not enter.'
        : `a token that has the scopes which the server asks for${scopes === '' ? '' : ` (${scopes})`}.`;
    const said = saidBy(told, held.tokens.accessToken);
    return new AuthError('refused', `${this.#origin} refuses, with HTTP ${status}, ${what}${said}`, {
      status,
    });
  }

  #failed(error: unknown): void {
    // That somebody has to sign in is no failure.
    const isFailure = error instanceof AuthError && error.reason !== 'sign-in-needed';
    if (isFailure) this.#parts.report({ type: 'failed', error });
  }
}

/** What a server says of the token it refuses, fit to be shown; nothing where it repeats the token. */
function saidBy(told: BearerChallenge | undefined, token: string): string {
  const text = told?.errorDescription;
  if (text === undefined || text.trim() === '' || text.includes(token)) return '';
  return ` It says: ${JSON.stringify(redactThoroughly(text))}.`;
}

/** True until so many milliseconds have passed; not before it began either, since clocks are set. */
function isWithin(ms: number, since: number | undefined, now: number): boolean {
  return since !== undefined && since <= now && now < since + ms;
}

/** Whoever had that refusal was missing all that this one is. */
function isAnswered(refusal: Refusal, other: Refusal): boolean {
  if (refusal.missing === undefined || other.missing === undefined) return refusal.missing === other.missing;
  return includesAll(other.missing, refusal.missing);
}
