import { redirectUri } from './sign-in.js';

/** The most sign-ins per call. The official clients leave this limit to their application. */
const most = 3;

/**
 * The state that the official clients, of either generation, ask an application to keep during a sign-in.
 */
export class UserProvider {
  redirectUrl = redirectUri;
  clientMetadata = {
    client_name: 'interop',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
  clientMetadataUrl;
  dpop;
  #browser;
  /** @type {any} */
  #client;
  /** @type {any} */
  #tokens;
  #verifier = '';
  #state = '';
  /** @type {URL | undefined} */
  #back;

  /**
   * @param {import('./browser.js').Browser} browser
   * @param {{ metadataUrl?: string | undefined, dpop?: () => any }} [options]
   */
  constructor(browser, { metadataUrl, dpop } = {}) {
    this.#browser = browser;
    this.clientMetadataUrl = metadataUrl;
    this.dpop = dpop;
  }

  state() {
    this.#state = crypto.randomUUID();
    return this.#state;
  }

  clientInformation() {
    return this.#client;
  }

  /** @param {unknown} client */
  saveClientInformation(client) {
    this.#client = client;
  }

  tokens() {
    return this.#tokens;
  }

  /** @param {unknown} tokens */
  saveTokens(tokens) {
    this.#tokens = tokens;
  }

  codeVerifier() {
    return this.#verifier;
  }

  /** @param {string} verifier */
  saveCodeVerifier(verifier) {
    this.#verifier = verifier;
  }

  /** @param {string} what */
  invalidateCredentials(what) {
    if (what === 'all' || what === 'client') this.#client = undefined;
    if (what === 'all' || what === 'tokens') this.#tokens = undefined;
  }

  /** @param {URL} url */
  async redirectToAuthorization(url) {
    this.#back = await this.#browser.visit(url);
  }

  /**
   * Returns the redirect URI that the user came back to, once.
   *
   * @returns {URL | undefined} undefined if no sign-in began since the last call
   */
  takeBack() {
    const back = this.#back;
    this.#back = undefined;
    if (back !== undefined && back.searchParams.get('state') !== this.#state)
      throw new Error('The state of the authorization response is wrong.');
    return back;
  }
}

/**
 * Wraps each call like an application does: after a redirect to sign in, it finishes the sign-in and calls again.
 *
 * @param {unknown} provider
 * @param {(back: URL) => Promise<unknown>} finish
 * @returns {<Value>(act: () => Promise<Value>) => Promise<Value>}
 */
export function signingIn(provider, finish) {
  return async (act) => {
    for (let signIns = 0; ; signIns++) {
      try {
        return await act();
      } catch (error) {
        const back = provider instanceof UserProvider ? provider.takeBack() : undefined;
        if (back === undefined || signIns === most) throw error;
        await finish(back);
      }
    }
  };
}
