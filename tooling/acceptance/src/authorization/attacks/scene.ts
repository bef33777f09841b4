import { inspect } from 'node:util';
import {
  type AuthError,
  type AuthEvent,
  type OauthOptions,
  type OauthProvider,
  oauth,
} from '@tenon/mcp-auth/client';
import { type Client, type ClientOptions, connect } from '@tenon/mcp-client';
import { sseTarget } from '@tenon/mcp-client/sse';
import type { FakeClock } from '@tenon/mcp-testing';
import {
  type AuthorizationBehaviour,
  startTestAuthorizationServer,
  type TestAuthorizationServer,
  type TestAuthorizationServerOptions,
} from '@tenon/mcp-testing/oauth';
import { Browser } from './browser.js';
import { codeOfThief } from './evil-issuer.js';
import { fakeTime } from './fake-time.js';
import { type PlaceSettings, ProtectedPlace } from './protected-place.js';
import { printed, Secrets } from './secrets.js';
import { Web } from './web.js';

/** A way for a client to connect to a server. */
export interface Way {
  readonly name: string;
  readonly revision: string;
  readonly transport: 'http' | 'sse';
}

export const stateless: Way = { name: 'stateless', revision: '2026-07-28', transport: 'http' };
export const handshake: Way = { name: 'handshake', revision: '2025-11-25', transport: 'http' };
export const overSse: Way = { name: 'HTTP+SSE', revision: '2024-11-05', transport: 'sse' };
/** One way of each kind. */
export const everyWay: readonly Way[] = [stateless, handshake, overSse];

/** Options of a scene. */
export interface SceneSettings {
  /** The current time. Default: now. */
  readonly clock?: FakeClock;
  readonly issuer?: TestAuthorizationServerOptions | undefined;
  readonly protect?: PlaceSettings['protect'];
  readonly provider?: Partial<OauthOptions> | undefined;
}

type Provider = Pick<OauthProvider, 'authorizer' | 'extensions' | 'signIn' | 'signOut'>;

/** A protected server with its authorization server, an attacker's server, a user and a client. */
export class Scene {
  readonly way: Way;
  readonly clock: FakeClock;
  readonly secrets = new Secrets();
  readonly issuer: TestAuthorizationServer;
  readonly place: ProtectedPlace;
  /** The attacker's server, which records its requests. */
  readonly thief: Web;
  readonly browser = new Browser();
  readonly events: AuthEvent[] = [];
  /** Errors reported to `onError` of the clients. */
  readonly reported: unknown[] = [];
  /** Errors that were thrown. */
  readonly thrown: unknown[] = [];
  /** The provider of the clients, unless a row uses another one. */
  auth: Provider;
  readonly #clients: Client[] = [];

  private constructor(
    way: Way,
    parts: Pick<Scene, 'clock' | 'issuer' | 'place' | 'thief'>,
    settings: SceneSettings,
  ) {
    this.way = way;
    this.clock = parts.clock;
    this.issuer = parts.issuer;
    this.place = parts.place;
    this.thief = parts.thief;
    this.auth = this.user(settings.provider);
    const { tokenAnswer } = settings.issuer ?? {};
    this.behave(tokenAnswer === undefined ? {} : { tokenAnswer });
  }

  static async open(way: Way, settings: SceneSettings = {}): Promise<Scene> {
    const { clock = fakeTime() } = settings;
    const issuer = await startTestAuthorizationServer({ ...settings.issuer, now: () => clock.now() });
    const place = await ProtectedPlace.open({
      clock,
      issuers: [issuer.issuer],
      whole: way.transport === 'sse',
      protect: settings.protect,
    });
    return new Scene(way, { clock, issuer, place, thief: await Web.open() }, settings);
  }

  /** Creates another provider for users of this browser. */
  user(options: Partial<OauthOptions> = {}): ReturnType<typeof oauth> {
    return oauth({
      client: { name: 'honest' },
      interaction: this.browser,
      clock: this.clock,
      onEvent: (event) => this.events.push(event),
      ...options,
    });
  }

  /** Changes the behaviour of the authorization server. Tokens stay registered as secrets. */
  behave({ tokenAnswer, ...changes }: AuthorizationBehaviour): void {
    this.issuer.behave({
      ...changes,
      tokenAnswer: async (answer, request) => {
        const given = (await tokenAnswer?.(answer, request)) ?? answer;
        for (const { body } of [answer, given === 'hang-up' ? answer : given]) this.#note(body);
        return given;
      },
    });
  }

  #note(body: unknown): void {
    if (typeof body !== 'object' || body === null) return;
    const { access_token, refresh_token } = body as Readonly<Record<string, unknown>>;
    this.secrets.add('an access token', access_token);
    this.secrets.add('a refresh token', refresh_token);
  }

  /** The URL clients connect to. */
  get url(): string {
    return this.way.transport === 'sse' ? `${this.place.origin}/sse` : this.place.url;
  }

  /** Connects a client, by default to the protected server. */
  async connect(
    url: string = this.url,
    auth: Provider = this.auth,
    more: Partial<ClientOptions> = {},
  ): Promise<Client> {
    const { revision, transport } = this.way;
    const options = {
      info: { name: 'honest', version: '1' },
      revision,
      reconnect: false,
      ...more,
      onError: (error: unknown) => this.reported.push(error),
    } as const;
    const client =
      transport === 'sse'
        ? await connect(sseTarget(url, { auth }), options)
        : await connect(url, { ...options, auth });
    this.#clients.push(client);
    return client;
  }

  /** Connects and calls a tool. */
  async call(name = 'who', input: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const client = this.#clients.at(-1) ?? (await this.connect());
    return textOf(await client.callTool(name, input));
  }

  /** Number of sign-ins by the user. */
  get prompts(): number {
    return this.browser.visited.length;
  }

  /** Closes everything, and checks that no secret was reported or sent to the attacker. */
  async close(): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.place.close();
    this.#gather();
    await this.issuer.close();
    this.thief.close();
    const { thrown, events, reported } = this;
    const { refused, arrived, notes } = this.place;
    this.secrets.expectNone({ thrown, events, reported, refused, 'errors of the server': notes.errors });
    this.secrets.expectNone({ 'an address': arrived.map(({ url }) => url), ends: this.browser.ends });
    const asked = this.issuer.requests
      .filter(({ endpoint }) => endpoint !== 'authorize')
      .map(({ url }) => url);
    this.secrets.expectNone({ 'a URL of the authorization server': asked });
    this.secrets.expectNone({ 'requests to the thief': this.thief.heard });
  }

  /** Registers all secrets of the honest parties. */
  #gather(): void {
    const { secrets } = this;
    for (const { params, headers } of this.issuer.requests) {
      for (const name of [
        'code',
        'code_verifier',
        'refresh_token',
        'client_assertion',
        'client_secret',
        'state',
      ]) {
        secrets.add(`the ${name}`, params[name]);
      }
      secrets.add('the credentials of the client', headers.authorization?.replace(/^\w+ /, ''));
    }
    for (const { clientSecret } of this.issuer.clients.values()) secrets.add('a client secret', clientSecret);
    for (const url of this.browser.returned) {
      const code = url.searchParams.get('code');
      if (code !== codeOfThief) secrets.add('a code', code);
    }
  }
}

/** Returns the first AuthError among an error and its causes. */
export function authErrorIn(error: unknown): AuthError | undefined {
  for (let one = error; one instanceof Error; one = one.cause)
    if (one.name === 'AuthError') return one as AuthError;
  return undefined;
}

/** Returns the description of an unexpected error. */
export function reported(error: unknown): string {
  return inspect(error, { depth: 4 }).slice(0, 2_000);
}

export function textOf({ content }: { readonly content?: unknown }): string {
  const [block] = (content ?? []) as readonly { readonly text?: string }[];
  return block?.text ?? '';
}

export { printed };
