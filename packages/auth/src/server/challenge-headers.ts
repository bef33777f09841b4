import { challenge, describable } from './challenge.js';
import type { ProtectSettings } from './protect-options.js';
import { metadataPath } from './resource-metadata-document.js';

/** What is wrong with a request, for the client to act on. */
export interface Complaint {
  /** How its token was shown; undefined where none was, or where that is not known. */
  readonly scheme?: 'Bearer' | 'DPoP' | undefined;
  /** Undefined where no token was shown. */
  readonly error?: string | undefined;
  readonly description?: string | undefined;
  /** What it takes. */
  readonly scopes: readonly string[];
}

/** Says what a protected server wants to see, one challenge for each way to show it. */
export class ChallengeHeaders {
  readonly #schemes: readonly ('Bearer' | 'DPoP')[];
  readonly #realm: string | undefined;
  readonly #algs: string | undefined;
  readonly #metadata: string;

  constructor({ address, dpop, dpopRequired, realm }: ProtectSettings) {
    if (dpop === undefined) this.#schemes = ['Bearer'];
    else this.#schemes = dpopRequired ? ['DPoP'] : ['Bearer', 'DPoP'];
    this.#realm = realm;
    this.#algs = dpop?.algs.join(' ');
    this.#metadata = address.origin + metadataPath(address);
  }

  /** The value of `WWW-Authenticate`. What is wrong stands with the scheme that was used, which comes first. */
  of({ scheme, error, description, scopes }: Complaint): string {
    const [usual = 'Bearer'] = this.#schemes;
    const first = scheme !== undefined && this.#schemes.includes(scheme) ? scheme : usual;
    const others = this.#schemes.filter((one) => one !== first);
    const texts = [first, ...others].map((one) => {
      const told = one === first;
      return challenge(one, {
        realm: this.#realm,
        error: told ? error : undefined,
        scope: scopes.length === 0 ? undefined : scopes.join(' '),
        resource_metadata: this.#metadata,
        algs: one === 'DPoP' ? this.#algs : undefined,
        error_description: told && description !== undefined ? describable(description) : undefined,
      });
    });
    return texts.join(', ');
  }
}
