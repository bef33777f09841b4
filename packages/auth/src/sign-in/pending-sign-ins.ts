import type { Clock } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import { isObject, isScope } from '@tenon/mcp-protocol/internal';
import type { JWK } from 'jose';
import { AuthError } from '../auth-error.js';
import type { DeferredSignIns } from '../oauth/interaction.js';
import { digestOf, digestOfAll, isSameSecret } from '../oauth/secrets.js';
import type { TokenOwner } from '../oauth/token-set.js';
import type { AuthStore } from '../store/auth-store.js';
import { changeEntry } from '../store/change-entry.js';

/** The request of a sign-in. */
export interface SignInRequest extends TokenOwner {
  /** The URL of the server that the token is for, as the user wrote it. */
  readonly target: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[] | undefined;
  /** True if the metadata of the authorization server announces `iss` in its responses. */
  readonly issInResponse: boolean;
  /** True to accept a bearer token although a bound one was requested. */
  readonly mayBeUnbound: boolean;
}

/** A sign-in that waits for its response, as the store contains it. */
export interface PendingSignIn extends SignInRequest {
  readonly state: string;
  readonly verifier: string;
  /** The URL of the authorization request. */
  readonly url: string;
  /** The key that the tokens will be bound to; undefined for bearer tokens. */
  readonly dpopKey: JWK | undefined;
}

export interface PendingSignInsParts {
  readonly store: AuthStore;
  readonly clock: Clock;
  /** The owner of the sign-ins, if several users share the store. */
  readonly account: string | undefined;
  readonly deferred: DeferredSignIns;
}

/**
 * Stores sign-ins until the user returns, to any process that shares the store. One sign-in for each server and account; each
 * accepts one response, from the browser where it was started.
 */
export class PendingSignIns {
  readonly #parts: PendingSignInsParts;

  constructor(parts: PendingSignInsParts) {
    this.#parts = parts;
  }

  /**
   * Stores a sign-in, unless the same one is already pending in this browser.
   * @returns the URL to send the user to.
   */
  async begin(
    request: SignInRequest,
    make: () => Promise<Omit<PendingSignIn, keyof SignInRequest>>,
  ): Promise<string> {
    const { store, account } = this.#parts;
    const pointer = `sign-in-at:${await digestOfAll([account, request.target])}`;
    let before: string | undefined;
    let same: PendingSignIn | undefined;
    let made: PendingSignIn | undefined;
    await changeEntry({ store, key: pointer }, async (latest) => {
      before = typeof latest?.key === 'string' ? latest.key : undefined;
      same = before === undefined ? undefined : await this.#same(before, request);
      if (same !== undefined) return latest;
      made ??= await this.#stored({ ...request, ...(await make()) });
      return { key: await keyOf(made.state) };
    });
    const { url } = (same ?? made) as PendingSignIn;
    const unused = same === undefined ? before : made && (await keyOf((made as PendingSignIn).state));
    if (unused !== undefined) await this.#drop(unused);
    return url;
  }

  /**
   * Removes and returns the sign-in of a response, so that no other response can use it. The caller checks the rest of the
   * response.
   * @throws AuthError `bad-response`; a response from another browser removes nothing.
   */
  async take(response: URL): Promise<PendingSignIn> {
    const { store, account, deferred } = this.#parts;
    const states = response.searchParams.getAll('state');
    const key = await keyOf(states.length === 1 ? (states[0] as string) : '');
    const kept = await store.get(key);
    const pending = kept === undefined ? undefined : readPending(kept.value);
    if (kept === undefined || pending === undefined)
      throw refusal('no sign-in waits for it, because it is finished or took too long');
    const { session, until } = kept.value;
    const isTheirs = typeof session === 'string' && isSameSecret(session, await digestOf(deferred.session));
    if (!isTheirs || (kept.value.account ?? undefined) !== account)
      throw refusal('the sign-in was started in another browser, or by another user');
    if (!(await store.swap(key, kept.version, undefined))) throw refusal('it was used before');
    if (typeof until !== 'number' || until <= this.#parts.clock.now())
      throw refusal('the sign-in took too long');
    return pending;
  }

  async #same(key: string, request: SignInRequest): Promise<PendingSignIn | undefined> {
    const { clock, deferred } = this.#parts;
    const kept = await this.#parts.store.get(key);
    const pending = kept === undefined ? undefined : readPending(kept.value);
    if (kept === undefined || pending === undefined) return undefined;
    const { session, until } = kept.value;
    // Leave the user at least half of the time to sign in.
    const isGood = typeof until === 'number' && clock.now() < until - deferred.lifetime / 2;
    const isSame = fields.every((field) => String(pending[field]) === String(request[field]));
    return isGood && isSame && session === (await digestOf(deferred.session)) ? pending : undefined;
  }

  async #stored(pending: PendingSignIn): Promise<PendingSignIn> {
    const { store, account, clock, deferred } = this.#parts;
    const until = clock.now() + deferred.lifetime;
    const session = await digestOf(deferred.session);
    const record = JSON.parse(JSON.stringify({ ...pending, account, session, until })) as JsonObject;
    await store.swap(await keyOf(pending.state), undefined, record);
    return pending;
  }

  async #drop(key: string): Promise<void> {
    const kept = await this.#parts.store.get(key);
    if (kept !== undefined) await this.#parts.store.swap(key, kept.version, undefined);
  }
}

const fields = [
  'issuer',
  'clientId',
  'resource',
  'redirectUri',
  'scopes',
  'issInResponse',
  'mayBeUnbound',
] as const;

async function keyOf(state: string): Promise<string> {
  return `sign-in:${await digestOf(state)}`;
}

function readPending(value: JsonObject): PendingSignIn | undefined {
  const { target, issuer, clientId, resource, redirectUri, state, verifier, url, scopes, dpopKey } = value;
  const texts = { target, issuer, clientId, resource, redirectUri, state, verifier, url };
  if (!Object.values(texts).every((text) => typeof text === 'string')) return undefined;
  return {
    ...(texts as { readonly [Name in keyof typeof texts]: string }),
    assumed: value.assumed === true,
    issInResponse: value.issInResponse === true,
    mayBeUnbound: value.mayBeUnbound === true,
    scopes: Array.isArray(scopes) ? scopes.filter(isScope) : undefined,
    dpopKey: isObject(dpopKey) ? (dpopKey as JWK) : undefined,
  };
}

function refusal(why: string): AuthError {
  return new AuthError('bad-response', `The response to a sign-in was not used: ${why}. Start it again.`);
}
