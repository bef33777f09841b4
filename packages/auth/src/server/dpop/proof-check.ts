import type { ReplayStore, UnknownObject } from '@tenon/mcp-protocol';
import { MemoryReplayStore } from '@tenon/mcp-session';
import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { digestOf } from '../../client/digest.js';
import { toleranceRule } from '../clock-tolerance.js';
import { publicJwk } from '../public-jwk.js';
import { requireAlgorithms, type SigningAlgorithm } from '../signing-algorithms.js';
import type { NextNonce, PresentedProof, ProofCheck, ProofFlaw, TokenRealm } from '../verify.js';
import { type NonceOptions, Nonces } from './nonces.js';
import { targetUri } from './target-uri.js';

/** Which proofs are taken. Times in milliseconds. */
export interface DpopCheckOptions {
  /** Signatures that are taken. Default: all with a private key; others can never be. */
  readonly algorithms?: readonly SigningAlgorithm[];
  /** How old a proof may be. Default 60,000. */
  readonly maxAge?: number;
  /** How far ahead the clocks of clients may be, up to 300,000. Default 30,000. */
  readonly clockTolerance?: number;
  /** Characters of a proof, at most. Default 8,192. */
  readonly maxProofLength?: number;
  /** Remembers which proofs were used: processes that serve one resource share it. Default: a {@link MemoryReplayStore}. */
  readonly replays?: ReplayStore;
  /** Proofs must hold a nonce of this server; `{}` for the defaults. Default: they need none. */
  readonly nonce?: NonceOptions;
}

const { positive, text, texts, object } = optionRules;

const nonceRules: { readonly [Name in keyof Required<NonceOptions>]: OptionRule } = {
  lifetime: positive,
  secret: {
    is: 'a text or bytes',
    allows: (value) => text.allows(value) || value instanceof Uint8Array,
  },
};

/**
 * Checks that whoever sends a token has the key that it is bound to, and that no proof is used twice.
 * @throws TypeError or RangeError for options that cannot work.
 * https://www.rfc-editor.org/rfc/rfc9449#section-4.3
 */
export function dpopCheck(options: DpopCheckOptions = {}): ProofCheck {
  requireOptions<DpopCheckOptions>('dpopCheck', options, {
    algorithms: texts,
    maxAge: positive,
    clockTolerance: toleranceRule,
    maxProofLength: positive,
    replays: object,
    nonce: object,
  });
  if (options.nonce !== undefined) requireOptions('dpopCheck: nonce', options.nonce, nonceRules);
  return new DpopCheck(options);
}

const proofType = 'dpop+jwt';

class DpopCheck implements ProofCheck {
  readonly algs: readonly string[];
  readonly #maxAge: number;
  readonly #clockTolerance: number;
  readonly #maxLength: number;
  readonly #nonces: Nonces | undefined;
  #replays: ReplayStore | undefined;

  constructor(options: DpopCheckOptions) {
    this.algs = [...requireAlgorithms('dpopCheck', options.algorithms)];
    this.#maxAge = options.maxAge ?? 60_000;
    this.#clockTolerance = options.clockTolerance ?? 30_000;
    this.#maxLength = options.maxProofLength ?? 8_192;
    this.#nonces = options.nonce && new Nonces(options.nonce);
    this.#replays = options.replays;
  }

  async check(presented: PresentedProof, { clock }: TokenRealm): Promise<ProofFlaw | NextNonce | undefined> {
    const now = clock.now();
    const read = await this.#read(presented, now);
    if (typeof read === 'string') return invalid(read);
    const flaw = targetFlaw(read, presented) ?? this.#ageFlaw(read, now) ?? (await hashFlaw(read, presented));
    if (flaw !== undefined) return invalid(flaw);
    if (this.#nonces !== undefined && !(await this.#nonces.isTaken(String(read.nonce), now))) {
      const description = 'The proof must hold the nonce of this answer.';
      return { error: 'use_dpop_nonce', description, nonce: await this.#nonces.current(now) };
    }
    // Last: only what holds in all else takes up room.
    this.#replays ??= new MemoryReplayStore({ clock });
    const usable = Number(read.iat) * 1_000 + this.#maxAge - now;
    const isNew = await this.#replays.remember(presented.boundKey, String(read.jti), usable + 1);
    if (!isNew) return invalid('The proof was used before: each request takes one of its own.');
    // Told in time, a client need not be refused to learn of it.
    const nonce = await this.#nonces?.current(now);
    return nonce === undefined || nonce === read.nonce ? undefined : { nonce };
  }

  /** The claims of a proof that was signed with the bound key, or what is wrong with it. */
  async #read({ proof, boundKey }: PresentedProof, now: number): Promise<UnknownObject | string> {
    const header = proof.length > this.#maxLength ? undefined : await readHeader(proof);
    if (header === undefined) return 'The proof is no signed JWT.';
    const { typ, alg, crit } = header;
    if (typ !== proofType) return `The type of the proof is not ${proofType}.`;
    if (typeof alg !== 'string' || !this.algs.includes(alg))
      return 'The proof is signed in a way that is not taken.';
    if (crit !== undefined) return 'The proof has a critical header that is not understood.';
    const jwk = publicJwk(header.jwk);
    if (jwk === undefined) return 'The proof does not hold a public key, and nothing but that.';
    const { calculateJwkThumbprint, jwtVerify } = await import('../jose.js');
    if ((await calculateJwkThumbprint(jwk)) !== boundKey) return 'The token is bound to another key.';
    const clock = { currentDate: new Date(now), clockTolerance: this.#clockTolerance / 1_000 };
    try {
      return (await jwtVerify(proof, jwk, { algorithms: [alg], ...clock })).payload;
    } catch {
      return 'The proof is not signed with the key it holds, or its time is over.';
    }
  }

  #ageFlaw({ iat }: UnknownObject, now: number): string | undefined {
    if (typeof iat !== 'number' || !Number.isFinite(iat)) return 'The proof does not say when it was made.';
    if (iat * 1_000 < now - this.#maxAge) return 'The proof is too old.';
    return iat * 1_000 > now + this.#clockTolerance
      ? 'The proof claims to be made in the future.'
      : undefined;
  }
}

async function readHeader(proof: string): Promise<UnknownObject | undefined> {
  const { decodeProtectedHeader } = await import('../jose.js');
  try {
    return { ...decodeProtectedHeader(proof) };
  } catch {
    return undefined;
  }
}

// As long as two of what is common, and a multiple of what is needed.
const longestId = 128;

function targetFlaw({ jti, htm, htu }: UnknownObject, { method, url }: PresentedProof): string | undefined {
  if (typeof jti !== 'string' || jti === '' || jti.length > longestId) {
    return `The proof has no jti, or one of more than ${longestId} characters.`;
  }
  if (htm !== method) return 'The proof is for another method.';
  const target = targetUri(htu);
  return target === undefined || target !== targetUri(url) ? 'The proof is for another address.' : undefined;
}

async function hashFlaw({ ath }: UnknownObject, { token }: PresentedProof): Promise<string | undefined> {
  return ath === (await digestOf(token)) ? undefined : 'The proof is for another token.';
}

function invalid(description: string): ProofFlaw {
  return { error: 'invalid_dpop_proof', description };
}
