import { redactThoroughly } from '@tenon/foundation/redaction/thorough';
import type {
  AuthorizationChallenge,
  AuthorizationHeaders,
  AuthorizedRequest,
  Authorizer,
  Revision,
} from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';
import { type BearerChallenge, bearerChallenge } from '../discovery/challenges.js';
import type { Discovery } from '../discovery/discovery.js';
import { includesAll, unionOf } from '../discovery/scopes.js';
import type { ServerDiscovery } from '../discovery/server-discovery.js';
import { isAtOrigin } from '../http/url-host.js';
import type { HeldTokens } from './held-tokens.js';
import type { ServerTokens } from './server-tokens.js';
import { SharedTask } from './shared-task.js';
import type { ServerParts } from './token-granting.js';

export interface ServerAuthorizerParts
  extends Pick<ServerParts, 'url' | 'grant' | 'refused' | 'clock' | 'report'> {
  readonly tokens: ServerTokens;
  readonly discovery: ServerDiscovery;
  /** Authorizations of one request, at most. */
  readonly maxAttempts: number;
  /** Milliseconds during which new tokens that were refused are not replaced. */
  readonly pause: number;
}

/** The reason why a request, or a sign-in, needs other tokens. */
interface Refusal {
  /** The challenge of the server. */
  readonly challenge: BearerChallenge | undefined;
  readonly revision: Revision | undefined;
  readonly attempt: number;
  /** The value of `Authorization` that the server refused. */
  readonly sent: string | undefined;
  /** Scopes that the token lacks; undefined if scopes are not the reason. */
  readonly missing: readonly string[] | undefined;
  /** False if the user must not be prompted. */
  readonly mayPrompt: boolean;
}

interface Flight {
  readonly refusal: Refusal;
  readonly task: SharedTask<void>;
}

/** Milliseconds until the next attempt to replace a token that is still valid. */
const renewPause = 5_000;

/** Milliseconds during which tokens count as new. */
const newFor = 60_000;

/** Authorizes the requests to one server. Requests that wait for the same authorization share it. */
export class ServerAuthorizer implements Authorizer {
  readonly #parts: ServerAuthorizerParts;
  readonly #origin: string;
  /** The missing scopes of each waiting request. */
  readonly #missing = new Set<readonly string[]>();
  #flight: Flight | undefined;
  #found: Discovery | undefined;
  /** Scopes that a request lacked which must not prompt the user: the next sign-in requests them. */
  #lacked: readonly string[] | undefined;

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
    const { request, status, attempt, revision, nonce, mayPrompt = true } = challenge;
    if (!this.#isOurs(request.url) || (status !== 401 && status !== 403)) return false;
    const sent = challenge.sent?.authorization;
    const scheme = sent?.startsWith('DPoP ') === true ? 'DPoP' : 'Bearer';
    const parsed = bearerChallenge(challenge.authenticate, scheme);
    if (status === 403 && parsed?.error !== 'insufficient_scope') return false;
    if (attempt > this.#parts.maxAttempts) throw this.#tooOften(status);
    if (nonce !== undefined) {
      this.nonce(nonce);
      if (parsed?.error === 'use_dpop_nonce' && this.#parts.tokens.held?.signer !== undefined) return true;
    }
    const missing = status === 403 ? (parsed?.scopes ?? []) : undefined;
    const refusal = { challenge: parsed, revision, attempt, sent, missing, mayPrompt };
    await this.#satisfy(refusal, challenge.signal);
    return true;
  }

  nonce(nonce: string): void {
    this.#parts.tokens.held?.signer?.nonce(this.#origin, nonce);
  }

  /** Signs in, by the user or by the grant of a program, unless the tokens are valid. Clears remembered refusals before. */
  async signIn(signal?: AbortSignal): Promise<void> {
    const { tokens, refused, clock } = this.#parts;
    refused.clear();
    await tokens.load();
    const { held } = tokens;
    const missing = this.#lacked;
    this.#lacked = undefined;
    if (held !== undefined) {
      held.refusedAt = undefined;
      const isValid = clock.now() < held.renewAt || (await tokens.renew(held));
      if (isValid && missing === undefined) return;
    }
    const refusal = {
      challenge: undefined,
      revision: undefined,
      attempt: 1,
      sent: undefined,
      missing: held === undefined ? undefined : missing,
      mayPrompt: true,
    };
    await this.#satisfy(refusal, signal);
  }

  /** Deletes the tokens, and aborts a sign-in that is under way. */
  async signOut(): Promise<void> {
    this.#flight?.task.abort(new AuthError('denied', 'Signed out while the sign-in was under way.'));
    this.#flight = undefined;
    this.#parts.discovery.forget();
    await this.#parts.tokens.signOut();
  }

  /** True for URLs of the origin that the tokens belong to: they are sent nowhere else. */
  #isOurs(url: string): boolean {
    return isAtOrigin(url, this.#origin);
  }

  async #prepared(request: AuthorizedRequest): Promise<AuthorizationHeaders | undefined> {
    const { tokens, clock } = this.#parts;
    await tokens.load();
    const { held } = tokens;
    if (held !== undefined && clock.now() >= held.renewAt) await this.#renewed(held);
    const ready = tokens.held;
    return ready === undefined || ready.isExpired(clock.now()) ? undefined : ready.headersFor(request);
  }

  /** Replaces a token that is about to expire, if possible. @throws AuthError if that fails and the token has expired. */
  async #renewed(held: HeldTokens): Promise<void> {
    const { tokens, clock } = this.#parts;
    try {
      // The tokens may be valid, and only not be stored yet.
      if ((await tokens.save()) && held.resume(clock.now())) return;
      if (await tokens.renew(held)) return;
    } catch (error) {
      this.#failed(error);
      if (tokens.held === undefined || tokens.held.isExpired(clock.now())) throw error;
    }
    // Use the old token until it expires, and let other requests not wait for the same failure.
    tokens.held?.postpone(clock.now() + renewPause);
  }

  /** Resolves when there are tokens that may satisfy the request. */
  async #satisfy(refusal: Refusal, signal: AbortSignal | undefined): Promise<void> {
    const { missing } = refusal;
    if (missing !== undefined) this.#missing.add(missing);
    try {
      await this.#parts.tokens.load();
      while (!this.#isSatisfied(refusal)) {
        signal?.throwIfAborted();
        const joined = this.#flight;
        if (joined === undefined || joined.task.isAborted) {
          await this.#begin(refusal).task.join(signal);
          return;
        }
        try {
          await joined.task.join(signal);
        } catch (error) {
          // The joined authorization may have failed because of scopes that this request does not need.
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
    // One sign-in requests the scopes that all waiting requests lack.
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

  /** Replaces tokens after a 401: the token was refused, or there was none. */
  async #replace(refusal: Refusal, signal: AbortSignal): Promise<void> {
    const { tokens, clock, pause } = this.#parts;
    const { challenge, attempt, sent } = refusal;
    const now = clock.now();
    const { held: before } = tokens;
    const isTheOne = before !== undefined && before.authorization === sent;
    if (isTheOne && isWithin(pause, before.refusedAt, now)) throw this.#stillRefused(before, 401, challenge);
    if (await tokens.reread(sent)) return;
    const found = await this.#find(refusal, signal);
    const held = await tokens.keepOnly(found);
    const isNew = held !== undefined && isTheOne && attempt > 1 && isWithin(newFor, held.since, now);
    if (held !== undefined && !(isNew && held.origin !== 'stored')) {
      if (held.tokens.refreshToken !== undefined && (await tokens.renew(held))) return;
    } else if (held?.origin === 'obtained' && includesAll(held.scopes, challenge?.scopes ?? [])) {
      // The user has just signed in, and would be prompted for the same again.
      held.refusedAt = now;
      throw this.#stillRefused(held, 401, challenge);
    }
    const mayBind = challenge?.dpop === true;
    this.#requirePrompt(refusal);
    await tokens.obtain({ found, challenged: challenge?.scopes, mayBind, isStepUp: false, signal });
  }

  /** Obtains more scopes after a 403. */
  async #stepUp(refusal: Refusal, signal: AbortSignal): Promise<void> {
    const { tokens } = this.#parts;
    const { challenge, sent, missing = [] } = refusal;
    if ((await tokens.reread(sent)) && this.#isSatisfied(refusal)) return;
    const found = await this.#find(refusal, signal);
    const held = await tokens.keepOnly(found);
    const wanted = missing.length > 0 ? missing : (found.resource.scopesSupported ?? []);
    if (held !== undefined && includesAll(held.scopes, wanted))
      throw this.#stillRefused(held, 403, challenge);
    const mayBind = challenge?.dpop === true || held?.signer !== undefined;
    this.#requirePrompt(refusal);
    await tokens.obtain({ found, challenged: missing, mayBind, isStepUp: held !== undefined, signal });
  }

  /** @throws AuthError `sign-in-needed` if the user would be prompted for a request that must not prompt. */
  #requirePrompt({ mayPrompt, missing }: Refusal): void {
    if (mayPrompt || !this.#parts.grant.interactive) return;
    if (missing !== undefined) this.#lacked = unionOf(this.#lacked ?? [], missing);
    const scopes = missing === undefined ? '' : ` with the scopes ${missing.join(' ').slice(0, 200)}`;
    throw new AuthError('sign-in-needed', `${this.#origin} requires the user to sign in${scopes}.`);
  }

  async #find({ challenge, revision, sent, missing }: Refusal, signal: AbortSignal): Promise<Discovery> {
    const { discovery, tokens, report } = this.#parts;
    const issuer = tokens.held?.owner.issuer;
    // Missing scopes do not change the issuer, but a refused token can mean that the server has a new issuer.
    const refresh = sent !== undefined && missing === undefined;
    const found = await discovery.find({ challenge, revision, issuer, refresh, signal });
    if (found !== this.#found)
      report({ type: 'discovered', issuer: found.server.issuer, resource: found.resource.resource });
    this.#found = found;
    return found;
  }

  #tooOften(status: number): AuthError {
    const { maxAttempts } = this.#parts;
    return new AuthError(
      'refused',
      `${this.#origin} still refuses a request with HTTP ${status}, although it was authorized ${maxAttempts} times.`,
      { status },
    );
  }

  #stillRefused(held: HeldTokens, status: 401 | 403, challenge: BearerChallenge | undefined): AuthError {
    const scopes = held.scopes.join(' ').slice(0, 200);
    const what =
      status === 401
        ? 'a new token: the server and its authorization server do not agree, or the user has no access.'
        : `a token that has the scopes it requires${scopes === '' ? '' : ` (${scopes})`}.`;
    const said = descriptionOf(challenge, held.tokens.accessToken);
    return new AuthError('refused', `${this.#origin} refuses, with HTTP ${status}, ${what}${said}`, {
      status,
    });
  }

  #failed(error: unknown): void {
    // A required sign-in is not a failure.
    const isFailure = error instanceof AuthError && error.reason !== 'sign-in-needed';
    if (isFailure) this.#parts.report({ type: 'failed', error });
  }
}

/** Returns the error description of a server, without secrets; empty if it contains the token. */
function descriptionOf(challenge: BearerChallenge | undefined, token: string): string {
  const text = challenge?.errorDescription;
  if (text === undefined || text.trim() === '' || text.includes(token)) return '';
  return ` The server says: ${JSON.stringify(redactThoroughly(text))}.`;
}

/** True within `ms` after `since`; false before `since`, because clocks can be set back. */
function isWithin(ms: number, since: number | undefined, now: number): boolean {
  return since !== undefined && since <= now && now < since + ms;
}

/** True if the other refusal included everything that this one lacks. */
function isAnswered(refusal: Refusal, other: Refusal): boolean {
  if (refusal.mayPrompt && !other.mayPrompt) return false;
  if (refusal.missing === undefined || other.missing === undefined) return refusal.missing === other.missing;
  return includesAll(other.missing, refusal.missing);
}
