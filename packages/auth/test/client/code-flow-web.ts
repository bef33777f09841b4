import type { OauthFetch } from '../../src/http/fetch-sender.js';
import type { Interaction, SignIn } from '../../src/oauth/interaction.js';
import { digestOf } from '../../src/oauth/secrets.js';
import type { FakeMcp } from './authorizer-rig.js';

/** One request to an authorization server. */
export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  /** Form or JSON, as it was sent. */
  readonly body: string;
  readonly authorization: string | undefined;
}

interface Code {
  readonly params: URLSearchParams;
  readonly origin: string;
}

/** A protected server and its authorization servers, with users who agree at once. */
export class CodeFlowWeb {
  readonly seen: SeenRequest[] = [];
  /** All secrets, which must not appear in errors and events. */
  readonly secrets = new Set<string>();
  issuers: readonly string[] = ['https://auth.example'];
  resource: object = { resource: 'https://mcp.example/mcp' };
  /** Further members of all metadata. */
  metadata: object = {};
  /** Changes an authorization response. */
  onResponse: ((params: URLSearchParams) => void) | undefined;
  /** Replaces the response of a token endpoint. */
  onToken:
    | ((form: URLSearchParams) => { readonly status: number; readonly body: object | string } | undefined)
    | undefined;
  /** Answers a device authorization endpoint. Its user signs in at once, unless `onToken` answers otherwise. */
  onDevice: ((form: URLSearchParams) => { readonly status?: number; readonly body: object }) | undefined;
  /** Answers GET requests of programs to an authorization endpoint; by default with a login page. */
  onAuthorize: ((params: URLSearchParams) => Response) | undefined;
  /** Changes the response of a registration endpoint. */
  onRegister:
    | ((registered: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | Response)
    | undefined;
  readonly #codes = new Map<string, Code>();
  /** Access tokens, by the server that they are for. */
  readonly #access = new Map<string, { readonly origin: string; readonly scope: string | null }>();
  readonly #refresh = new Set<string>();
  #count = 0;

  readonly fetch: OauthFetch = async (input, init) => {
    const url = new URL(input);
    const { method = 'GET' } = init;
    const body = String(init.body ?? '');
    const authorization = new Headers(init.headers).get('authorization') ?? undefined;
    this.seen.push({ method, url, body, authorization });
    const { pathname, origin } = url;
    if (pathname === '/.well-known/oauth-protected-resource/mcp')
      return Response.json({ authorization_servers: this.issuers, ...this.resource });
    if (pathname === '/.well-known/oauth-authorization-server')
      return Response.json(this.#metadataOf(origin));
    if (pathname === '/register') return this.#registered(origin, body);
    if (pathname === '/device') return this.#device(new URLSearchParams(body));
    if (pathname === '/token') return this.#token(new URLSearchParams(body), origin);
    if (pathname === '/authorize') return this.onAuthorize?.(url.searchParams) ?? new Response('<html>');
    return new Response('', { status: pathname === '/revoke' ? 200 : 404 });
  };

  /** The protected server: accepts tokens of the first issuer in its metadata. */
  readonly mcp: FakeMcp = (token = '') => {
    const known = this.#access.get(token);
    return known?.origin === this.issuers[0] ? { status: 200 } : { status: 401, authenticate: 'Bearer' };
  };

  /** Returns the URL that a browser is redirected to after the sign-in. */
  visit(address: URL | string): URL {
    const url = new URL(address);
    this.#keep(url.searchParams.get('state'));
    const back = new URL(url.searchParams.get('redirect_uri') ?? 'about:blank');
    const code = this.#secret('code');
    this.#codes.set(code, { params: url.searchParams, origin: url.origin });
    back.searchParams.set('code', code);
    back.searchParams.set('state', url.searchParams.get('state') ?? '');
    this.onResponse?.(back.searchParams);
    return back;
  }

  /** An interaction with a browser that signs in at once. */
  interaction(): Interaction & { readonly ends: unknown[]; readonly visited: URL[] } {
    const ends: unknown[] = [];
    const visited: URL[] = [];
    const begin = (): SignIn => ({
      redirectUri: 'http://127.0.0.1:4100/callback',
      authorize: async ({ url }) => {
        visited.push(url);
        return this.visit(url);
      },
      end: (failure) => void ends.push(failure),
    });
    return { redirectUris: ['http://127.0.0.1/callback'], applicationType: 'native', begin, ends, visited };
  }

  /** Requests to one path, such as `/token`, with their forms. */
  at(path: string): (SeenRequest & { readonly form: Readonly<Record<string, string>> })[] {
    return this.seen
      .filter(({ url }) => url.pathname === path)
      .map((one) => ({ ...one, form: Object.fromEntries(new URLSearchParams(one.body)) }));
  }

  #metadataOf(issuer: string): object {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      ...(this.onDevice && { device_authorization_endpoint: `${issuer}/device` }),
      ...this.metadata,
    };
  }

  #registered(origin: string, body: string): Response {
    const client_id = `client-${++this.#count}-of-${new URL(origin).host}`;
    const registered = { ...JSON.parse(body), client_id };
    const changed = this.onRegister?.(registered) ?? registered;
    return changed instanceof Response ? changed : Response.json(changed, { status: 201 });
  }

  #device(form: URLSearchParams): Response {
    const { status = 200, body } = this.onDevice?.(form) ?? { status: 404, body: {} };
    return Response.json(body, { status });
  }

  async #token(form: URLSearchParams, origin: string): Promise<Response> {
    for (const name of ['code', 'code_verifier', 'refresh_token', 'device_code']) this.#keep(form.get(name));
    const instead = this.onToken?.(form);
    if (instead !== undefined) return answer(instead);
    const code = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const isRefreshed = this.#refresh.delete(form.get('refresh_token') ?? '');
    const challenge = await digestOf(form.get('code_verifier') ?? '');
    const isRight =
      code?.origin === origin &&
      code.params.get('code_challenge') === challenge &&
      code.params.get('redirect_uri') === form.get('redirect_uri');
    const isDevice = this.onDevice !== undefined && form.has('device_code');
    if (!isRight && !isRefreshed && !isDevice)
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    const [access_token, refresh_token] = [this.#secret('access'), this.#secret('refresh')];
    this.#access.set(access_token, { origin, scope: code?.params.get('scope') ?? null });
    this.#refresh.add(refresh_token);
    return Response.json({ access_token, refresh_token, token_type: 'Bearer', expires_in: 3_600 });
  }

  #keep(secret: string | null): void {
    if (secret !== null) this.secrets.add(secret);
  }

  #secret(kind: string): string {
    const secret = `${kind}-${++this.#count}-7f3a9c51d2e8b604`;
    this.secrets.add(secret);
    return secret;
  }
}

function answer({ status, body }: { readonly status: number; readonly body: object | string }): Response {
  return typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status });
}
