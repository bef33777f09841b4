import type { OauthRequest } from '../../src/http/oauth-http.js';
import { digestOf } from '../../src/oauth/secrets.js';
import { type Scripted, ScriptedHttp } from '../http/scripted-http.js';
import { createSigner, type Signer } from './signer.js';
import { type TestRealm, testIssuer } from './token-realm.js';

/** An authorization server where users sign in at once, without a page. */
export class SignInServer {
  /** Sends requests to it. */
  readonly http: ScriptedHttp = new ScriptedHttp();
  /** The `iss` of its authorization responses. */
  iss: string | undefined = testIssuer;
  /** Changes claims of its tokens. */
  claims: Readonly<Record<string, unknown>> = {};
  readonly signer: Signer;
  readonly #realm: TestRealm;
  readonly #codes = new Map<string, { readonly user: string; readonly asked: URLSearchParams }>();

  private constructor(signer: Signer, realm: TestRealm) {
    this.signer = signer;
    this.#realm = realm;
    this.metadata({});
    this.http.on(`${testIssuer}/token`, (request) => this.#token(request));
  }

  static async start(realm: TestRealm): Promise<SignInServer> {
    return new SignInServer(await createSigner(), realm);
  }

  metadata(changed: Readonly<Record<string, unknown>>): void {
    const body = {
      issuer: testIssuer,
      authorization_endpoint: `${testIssuer}/authorize`,
      token_endpoint: `${testIssuer}/token`,
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...changed,
    };
    this.http.on(`${testIssuer}/.well-known/oauth-authorization-server`, { body });
  }

  /** Returns the URL that a user is redirected to after the sign-in. */
  signIn(location: string, user: string): string {
    const asked = new URL(location).searchParams;
    const code = `code-${this.#codes.size}`;
    this.#codes.set(code, { user, asked });
    const back = new URL(asked.get('redirect_uri') ?? '');
    const params = {
      code,
      state: asked.get('state') ?? '',
      ...(this.iss !== undefined && { iss: this.iss }),
    };
    for (const [name, value] of Object.entries(params)) back.searchParams.set(name, value);
    return back.href;
  }

  async #token({ body = '' }: OauthRequest): Promise<Scripted> {
    const form = new URLSearchParams(body);
    const code = form.get('code') ?? '';
    const issued = this.#codes.get(code);
    this.#codes.delete(code);
    const isSame = ['redirect_uri', 'resource', 'client_id'].every(
      (name) => form.get(name) === issued?.asked.get(name),
    );
    const challenge = await digestOf(form.get('code_verifier') ?? '');
    if (issued === undefined || !isSame || challenge !== issued.asked.get('code_challenge')) {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    const claims = this.#realm.claims({ sub: issued.user, aud: form.get('resource'), ...this.claims });
    return { body: { access_token: await this.signer.sign(claims), token_type: 'Bearer', expires_in: 600 } };
  }
}
