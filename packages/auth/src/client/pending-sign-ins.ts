import type { Clock, JsonObject } from '@tenon/mcp-protocol';
import { isObject, isScope } from '@tenon/mcp-protocol/internal';
import type { JWK } from 'jose';
import { AuthError } from '../auth-error.js';
import type { AuthStore } from './auth-store.js';
import { digestOf, digestOfAll, isSameSecret } from './digest.js';
import type { DeferredSignIns } from './interaction.js';
import type { TokenOwner } from './stored-tokens.js';

/** What is asked for by a sign-in. */
export interface SignInRequest extends TokenOwner {
  /** Address of the server the token is for, as its user named it. */
  readonly target: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[] | undefined;
  /** The responses of the issuer say who they are from. */
  readonly issInResponse: boolean;
  /** A token that is not bound to a key will do, though one is asked for that is. */
  readonly mayBeUnbound: boolean;
}

/** A sign-in under way, as it is kept until the user comes back. */
export interface PendingSignIn extends SignInRequest {
  readonly state: string;
  readonly verifier: string;
  /** Where the user is sent. */
  readonly url: string;
  /** The key that the tokens will be bound to, where they will. */
  readonly dpopKey: JWK | undefined;
}

/** What {@link PendingSignIns} is made of. */
export interface PendingSignInsParts {
  readonly store: AuthStore;
  readonly clock: Clock;
  /** Whose sign-ins these are, where several share the store. */
  readonly account: string | undefined;
  readonly deferred: DeferredSignIns;
}

/** How often a change is tried that somebody else comes before. */
const attempts = 4;

/**
 * Keeps sign-ins until the user comes back, to whichever process: one for each server and account, good for one response,
 * from the browser it was begun in.
 */
export class PendingSignIns {
  readonly #parts: PendingSignInsParts;

  constructor(parts: PendingSignInsParts) {
    this.#parts = parts;
  }

  /**
   * Keeps a sign-in, unless the very same is under way in this browser.
   * @returns where to send the user.
   */
  async begin(
    request: SignInRequest,
    make: () => Promise<Omit<PendingSignIn, keyof SignInRequest>>,
  ): Promise<string> {
    const { store, account } = this.#parts;
    const pointer = `sign-in-at:${await digestOfAll([account, request.target])}`;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const latest = await store.get(pointer);
      const before = typeof latest?.value.key === 'string' ? latest.value.key : undefined;
      const same = before === undefined ? undefined : await this.#same(before, request);
      if (same !== undefined) return same.url;
      const pending: PendingSignIn = { ...request, ...(await make()) };
      const key = await keyOf(pending.state);
      await store.swap(key, undefined, await this.#record(pending));
      if (await store.swap(pointer, latest?.version, { key })) {
        if (before !== undefined) await this.#drop(before);
        return pending.url;
      }
      await this.#drop(key);
    }
    throw new AuthError('storage', 'The store changes faster than anything can be kept in it.');
  }

  /**
   * Takes out the sign-in that a response belongs to; no other response finishes it then.
   * What else the response says has still to be looked at.
   * @throws AuthError `bad-response`; that it came from another browser changes nothing.
   */
  async take(response: URL): Promise<PendingSignIn> {
    const { store, account, deferred } = this.#parts;
    const states = response.searchParams.getAll('state');
    const key = await keyOf(states.length === 1 ? (states[0] as string) : '');
    const kept = await store.get(key);
    const pending = kept === undefined ? undefined : readPending(kept.value);
    if (kept === undefined || pending === undefined)
      throw refusal('no sign-in waits for it: it is finished, or took too long');
    const { session, until } = kept.value;
    const isTheirs = typeof session === 'string' && isSameSecret(session, await digestOf(deferred.session));
    if (!isTheirs || (kept.value.account ?? undefined) !== account)
      throw refusal('the sign-in was begun in another browser, or by another user');
    if (!(await store.swap(key, kept.version, undefined))) throw refusal('it was given twice');
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
    // The user needs some time to sign in.
    const isGood = typeof until === 'number' && clock.now() < until - deferred.lifetime / 2;
    const isSame = fields.every((field) => String(pending[field]) === String(request[field]));
    return isGood && isSame && session === (await digestOf(deferred.session)) ? pending : undefined;
  }

  async #record(pending: PendingSignIn): Promise<JsonObject> {
    const { account, clock, deferred } = this.#parts;
    const until = clock.now() + deferred.lifetime;
    const session = await digestOf(deferred.session);
    return JSON.parse(JSON.stringify({ ...pending, account, session, until })) as JsonObject;
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
