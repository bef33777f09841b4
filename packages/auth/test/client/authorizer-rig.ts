import type { AuthorizationHeaders, Authorizer } from '@tenon/mcp-protocol';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import type { AuthorizationServer } from '../../src/discovery/authorization-server.js';
import type { DiscoverRequest, Discovery } from '../../src/discovery/discovery.js';
import type { ClientInformation } from '../../src/oauth/client-information.js';
import type { Grant, GrantRequest, GrantTools } from '../../src/oauth/grant.js';
import type { TokenSet } from '../../src/oauth/token-set.js';
import { OauthProvider } from '../../src/providers/oauth-provider.js';
import type { ProviderOptions } from '../../src/providers/provider-options.js';
import { MemoryAuthStore } from '../../src/store/memory-store.js';
import type { AuthEvent } from '../../src/tokens/auth-events.js';
import { type FakeAnswer, FakeHttp, fakeDiscovery } from './fake-authorization.js';

export const serverUrl = new URL('https://mcp.example/mcp');

/** Obtains numbered tokens, or the tokens of a test. */
export class FakeGrant implements Grant {
  readonly type: string = 'authorization_code';
  interactive = true;
  clientId = 'client-1';
  /** The requests for tokens. */
  readonly asked: GrantRequest[] = [];
  readonly signals: (AbortSignal | undefined)[] = [];
  readonly forgotten: string[] = [];
  /** Added to each token. */
  gives: Partial<TokenSet> = {};
  /** Replaces obtaining a token. */
  onObtain:
    | ((request: GrantRequest, count: number, tools: GrantTools) => Promise<Partial<TokenSet>>)
    | undefined;

  async client(_server: AuthorizationServer): Promise<ClientInformation> {
    return { clientId: this.clientId };
  }

  async obtain(request: GrantRequest, client: ClientInformation, tools: GrantTools): Promise<TokenSet> {
    this.asked.push(request);
    this.signals.push(tools.signal);
    const count = this.asked.length;
    const given = (await this.onObtain?.(request, count, tools)) ?? this.gives;
    return {
      accessToken: `access-${count}`,
      tokenType: tools.dpop === undefined ? 'Bearer' : 'DPoP',
      dpopKey: tools.dpop?.key,
      issuer: request.server.issuer,
      clientId: client.clientId,
      ...given,
    };
  }

  async forget(
    _server: Pick<AuthorizationServer, 'issuer'>,
    client: Pick<ClientInformation, 'clientId'> = { clientId: this.clientId },
  ): Promise<boolean> {
    this.forgotten.push(client.clientId);
    this.clientId = `${client.clientId}-anew`;
    return true;
  }
}

/** A provider with a fake grant, discovery and network. */
export class Rig {
  readonly clock = new FakeClock();
  readonly grant: FakeGrant;
  readonly store: NonNullable<ProviderOptions['store']>;
  readonly provider: OauthProvider;
  readonly authorizer: Authorizer;
  readonly discoveries: DiscoverRequest[] = [];
  readonly events: AuthEvent[] = [];
  readonly http: FakeHttp;
  found: Discovery = fakeDiscovery();
  /** The response of the token endpoint. */
  answer: (form: URLSearchParams, count: number) => FakeAnswer | Promise<FakeAnswer> = (_, count) => ({
    body: { access_token: `refreshed-${count}`, token_type: 'Bearer', expires_in: 3_600 },
  });

  constructor(options: ProviderOptions & { readonly grant?: FakeGrant; readonly beside?: Rig } = {}) {
    const { grant = new FakeGrant(), beside, ...rest } = options;
    if (beside !== undefined) this.clock = beside.clock;
    this.grant = grant;
    this.store = rest.store ?? beside?.store ?? new MemoryAuthStore();
    this.http = new FakeHttp((request, count) => this.answer(new URLSearchParams(request.body), count));
    const discover = async (request: DiscoverRequest) => {
      this.discoveries.push(request);
      return this.found;
    };
    this.provider = new OauthProvider({
      grant,
      offlineAccess: true,
      options: {
        clock: this.clock,
        onEvent: (event) => this.events.push(event),
        ...rest,
        store: this.store,
      },
      network: {
        http: () => this.http,
        steps: { discover, fetchAuthorizationServer: async () => this.found.server },
      },
    });
    this.authorizer = this.provider.authorizer(serverUrl);
  }

  /** Sends a request to a server, and repeats it as its authorizer says. */
  send(server: FakeMcp, more: Partial<SentRequest> = {}): Promise<FakeReply> {
    return sendTo({ authorizer: this.authorizer, server, ...more });
  }

  /** The requested scopes of each request for tokens. */
  get scopes(): (readonly string[] | undefined)[] {
    return this.grant.asked.map(({ scopes }) => scopes);
  }
}

/** The response of a server. */
export interface FakeReply {
  readonly status: number;
  readonly authenticate?: string;
  readonly nonce?: string;
}

/** A protected server that checks only the token. */
export type FakeMcp = (token: string | undefined, headers: AuthorizationHeaders) => FakeReply;

/** One request of a client. */
export interface SentRequest {
  readonly authorizer: Authorizer;
  readonly server: FakeMcp;
  readonly url?: string;
  readonly signal?: AbortSignal;
  readonly mayPrompt?: boolean;
}

/** Uses an authorizer as the HTTP transports do. */
export async function sendTo({
  authorizer,
  server,
  url = serverUrl.href,
  signal,
  mayPrompt,
}: SentRequest): Promise<FakeReply> {
  const request = { method: 'POST', url };
  for (let attempt = 1; attempt < 50; attempt++) {
    const sent = await authorizer.authorize(request);
    const reply = server(sent?.authorization?.split(' ')[1], sent ?? {});
    if (reply.status !== 401 && reply.status !== 403) return reply;
    const isAgain = await authorizer.challenged({
      request,
      status: reply.status,
      authenticate: reply.authenticate === undefined ? [] : [reply.authenticate],
      nonce: reply.nonce,
      sent,
      attempt,
      revision: undefined,
      signal: signal ?? new AbortController().signal,
      ...(mayPrompt !== undefined && { mayPrompt }),
    });
    if (!isAgain) return reply;
  }
  throw new Error('It was sent for ever.');
}

/** A server that accepts these tokens. */
export function taking(...tokens: readonly string[]): FakeMcp {
  return (token) => (tokens.includes(token ?? '') ? { status: 200 } : refusal);
}

/** The refusal of a token. */
export const refusal: FakeReply = { status: 401, authenticate: 'Bearer error="invalid_token"' };

/** The refusal of a token that has too few scopes. */
export function tooFew(scope: string): FakeReply {
  return { status: 403, authenticate: `Bearer error="insufficient_scope", scope="${scope}"` };
}
