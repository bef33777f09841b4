import { challenge, describable } from './challenge.js';
import type { ResourceGuardSettings } from './resource-guard-options.js';
import { metadataPath } from './resource-metadata-document.js';

/** The parameters of the challenges in one response. */
export interface ChallengeContent {
  /** The scheme of the token in the request; undefined if the request has no token, or its scheme is unknown. */
  readonly scheme?: 'Bearer' | 'DPoP' | undefined;
  /** Undefined if the request has no token. */
  readonly error?: string | undefined;
  readonly description?: string | undefined;
  /** Required scopes. */
  readonly scopes: readonly string[];
}

/** Writes the challenges of a protected server, one for each accepted scheme. */
export class ChallengeHeaders {
  readonly #schemes: readonly ('Bearer' | 'DPoP')[];
  readonly #realm: string | undefined;
  readonly #algs: string | undefined;
  readonly #metadata: string;

  constructor({ address, dpop, dpopRequired, realm }: ResourceGuardSettings) {
    if (dpop === undefined) this.#schemes = ['Bearer'];
    else this.#schemes = dpopRequired ? ['DPoP'] : ['Bearer', 'DPoP'];
    this.#realm = realm;
    this.#algs = dpop?.algs.join(' ');
    this.#metadata = address.origin + metadataPath(address);
  }

  /** Returns the value of `WWW-Authenticate`. The scheme of the request comes first, and only its challenge has the error. */
  of({ scheme, error, description, scopes }: ChallengeContent): string {
    const [usual = 'Bearer'] = this.#schemes;
    const first = scheme !== undefined && this.#schemes.includes(scheme) ? scheme : usual;
    const others = this.#schemes.filter((one) => one !== first);
    const texts = [first, ...others].map((one) => {
      const hasError = one === first;
      return challenge(one, {
        realm: this.#realm,
        error: hasError ? error : undefined,
        scope: scopes.length === 0 ? undefined : scopes.join(' '),
        resource_metadata: this.#metadata,
        algs: one === 'DPoP' ? this.#algs : undefined,
        error_description: hasError && description !== undefined ? describable(description) : undefined,
      });
    });
    return texts.join(', ');
  }
}
