import { type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { isUrl, stateRule } from '@tenon/mcp-protocol/internal';
import type { State } from '@tenon/mcp-state';
import { type ReplayStore, replayStoreOn } from '@tenon/mcp-state/internal';
import { publicJwk } from '../oauth/public-jwk.js';
import { digestOf } from '../oauth/secrets.js';
import { type NonceOptions, Nonces } from './nonces.js';
import { clockTolerance, requireAlgorithms, type SigningAlgorithm } from './option-rules.js';
import type { NextNonce, PresentedProof, ProofCheck, ProofProblem, TokenRealm } from './verify.js';

/** Options of {@link dpopCheck}. */
export interface DpopCheckOptions {
  /** Accepted signature algorithms. Default: all with a private key; others are not possible. */
  readonly algorithms?: readonly SigningAlgorithm[];
  /**
   * State that all processes of one resource share, such as `redisState(url)`: a proof is accepted by one of them, once, and a nonce
   * by all. If the state cannot be reached, requests are rejected. Default: each process remembers the proofs that it accepted.
   */
  readonly state?: State;
  /** Requires a nonce of this server in proofs; `{}` for the defaults. Default: none. */
  readonly nonce?: NonceOptions;
}

const { text, texts, object } = optionRules;

const nonceRules: { readonly [Name in keyof Required<NonceOptions>]: OptionRule } = {
  secret: {
    is: 'a text or bytes',
    allows: (value) => text.allows(value) || value instanceof Uint8Array,
  },
};

/**
 * Returns a check that the sender of a token has its key, and that no proof is used twice.
 * @throws TypeError or RangeError if an option is invalid.
 * https://www.rfc-editor.org/rfc/rfc9449#section-4.3
 */
export function dpopCheck(options: DpopCheckOptions = {}): ProofCheck {
  requireOptions<DpopCheckOptions>('dpopCheck', options, {
    algorithms: texts,
    state: stateRule,
    nonce: object,
  });
  if (options.nonce !== undefined) requireOptions('dpopCheck: nonce', options.nonce, nonceRules);
  return new DpopCheck(options);
}

const proofType = 'dpop+jwt';

/** Milliseconds of the age of a proof. */
const maxAge = 60_000;

/** Characters of a proof. */
const maxLength = 8_192;

class DpopCheck implements ProofCheck {
  readonly algs: readonly string[];
  readonly #nonces: Nonces | undefined;
  readonly #state: State | undefined;
  #replays: ReplayStore | undefined;

  constructor(options: DpopCheckOptions) {
    this.algs = [...requireAlgorithms('dpopCheck', options.algorithms)];
    this.#nonces = options.nonce && new Nonces(options.nonce, options.state);
    this.#state = options.state;
  }

  async check(
    presented: PresentedProof,
    { clock }: TokenRealm,
  ): Promise<ProofProblem | NextNonce | undefined> {
    const now = clock.now();
    const read = await this.#read(presented, now);
    if (typeof read === 'string') return invalid(read);
    const problem =
      targetProblem(read, presented) ?? this.#ageProblem(read, now) ?? (await hashProblem(read, presented));
    if (problem !== undefined) return invalid(problem);
    if (this.#nonces !== undefined && !(await this.#nonces.isTaken(String(read.nonce), now))) {
      const description = 'The proof must contain the nonce of this response.';
      return { error: 'use_dpop_nonce', description, nonce: await this.#nonces.current(now) };
    }
    // Last, so that only valid proofs use memory.
    this.#replays ??= replayStoreOn(this.#state, clock);
    const usable = Number(read.iat) * 1_000 + maxAge - now;
    const isNew = await this.#replays.remember(presented.boundKey, String(read.jti), usable + 1);
    if (!isNew) return invalid('The proof was used before: each request requires a new one.');
    // Sent with a successful response, so that the client need not be rejected first.
    const nonce = await this.#nonces?.current(now);
    return nonce === undefined || nonce === read.nonce ? undefined : { nonce };
  }

  /** Returns the claims of a proof that is signed with the bound key, or the reason for a rejection. */
  async #read({ proof, boundKey }: PresentedProof, now: number): Promise<UnknownObject | string> {
    const header = proof.length > maxLength ? undefined : await readHeader(proof);
    if (header === undefined) return 'The proof is not a signed JWT.';
    const { typ, alg, crit } = header;
    if (typ !== proofType) return `The type of the proof is not ${proofType}.`;
    if (typeof alg !== 'string' || !this.algs.includes(alg))
      return 'The proof is signed with an algorithm that is not accepted.';
    if (crit !== undefined) return 'The proof has a critical header that is not understood.';
    const jwk = publicJwk(header.jwk);
    if (jwk === undefined) return 'The jwk of the proof is not a public key.';
    const { calculateJwkThumbprint, jwtVerify } = await import('./jose.js');
    if ((await calculateJwkThumbprint(jwk)) !== boundKey) return 'The token is bound to another key.';
    const clock = { currentDate: new Date(now), clockTolerance: clockTolerance / 1_000 };
    try {
      return (await jwtVerify(proof, jwk, { algorithms: [alg], ...clock })).payload;
    } catch {
      return 'The proof is not signed with its own jwk, or it has expired.';
    }
  }

  #ageProblem({ iat }: UnknownObject, now: number): string | undefined {
    if (typeof iat !== 'number' || !Number.isFinite(iat)) return 'The proof has no time (iat).';
    if (iat * 1_000 < now - maxAge) return 'The proof is too old.';
    return iat * 1_000 > now + clockTolerance ? 'The time of the proof (iat) is in the future.' : undefined;
  }
}

async function readHeader(proof: string): Promise<UnknownObject | undefined> {
  const { decodeProtectedHeader } = await import('./jose.js');
  try {
    return { ...decodeProtectedHeader(proof) };
  } catch {
    return undefined;
  }
}

// Twice the usual length, and a multiple of what uniqueness requires.
const longestId = 128;

function targetProblem(
  { jti, htm, htu }: UnknownObject,
  { method, url }: PresentedProof,
): string | undefined {
  if (typeof jti !== 'string' || jti === '' || jti.length > longestId) {
    return `The proof has no jti, or one of more than ${longestId} characters.`;
  }
  if (htm !== method) return 'The proof is for another method.';
  const target = targetUri(htu);
  return target === undefined || target !== targetUri(url) ? 'The proof is for another address.' : undefined;
}

async function hashProblem({ ath }: UnknownObject, { token }: PresentedProof): Promise<string | undefined> {
  return ath === (await digestOf(token)) ? undefined : 'The proof is for another token.';
}

function invalid(description: string): ProofProblem {
  return { error: 'invalid_dpop_proof', description };
}

/**
 * Returns a URL in the form in which proofs compare it: scheme and host in lower case, without default port, query, fragment and
 * unnecessary escapes; undefined if it is not a web address.
 * https://www.rfc-editor.org/rfc/rfc9449#section-4.3
 */
export function targetUri(address: unknown): string | undefined {
  if (typeof address !== 'string' || address.length > longest || !isUrl(address)) return undefined;
  const { protocol, username, password, origin, pathname } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return username === '' && password === '' ? origin + pathname.replace(escaped, plain) : undefined;
}

/** Characters of a URL, at most. */
const longest = 8_192;

const escaped = /%[0-9a-f]{2}/gi;

/** https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2 */
function plain(triplet: string): string {
  const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : triplet.toUpperCase();
}
