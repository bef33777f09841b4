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

/** How a client reaches a server. */
export interface Way {
  readonly name: string;
  readonly revision: string;
  readonly carrier: 'http' | 'sse';
}

export const stateless: Way = { name: 'stateless', revision: '2026-07-28', carrier: 'http' };
export const handshake: Way = { name: 'handshake', revision: '2025-11-25', carrier: 'http' };
export const overSse: Way = { name: 'HTTP+SSE', revision: '2024-11-05', carrier: 'sse' };
/** One of each kind. */
export const everyWay: readonly Way[] = [stateless, handshake, overSse];

/** What is put up before a row begins. */
export interface SceneSettings {
  /** The time of day; now by default. */
  readonly clock?: FakeClock;
  readonly issuer?: TestAuthorizationServerOptions | undefined;
  readonly protect?: PlaceSettings['protect'];
  readonly provider?: Partial<OauthOptions> | undefined;
}

type Provider = Pick<OauthProvider, 'authorizer' | 'extensions' | 'signIn' | 'signOut'>;

/** A protected server, the authorization server it trusts, one that nobody should trust, a user and a client. */
export class Scene {
  readonly way: Way;
  readonly clock: FakeClock;
  readonly secrets = new Secrets();
  readonly issuer: TestAuthorizationServer;
  readonly place: ProtectedPlace;
  /** Somebody else's server, which hears what it should not. */
  readonly thief: Web;
  readonly browser = new Browser();
  readonly events: AuthEvent[] = [];
  /** What `onError` of the clients heard. */
  readonly told: unknown[] = [];
  /** What was thrown, as it came. */
  readonly thrown: unknown[] = [];
  /** Signs in for the clients, unless a row has it done another way. */
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
      whole: way.carrier === 'sse',
      protect: settings.protect,
    });
    return new Scene(way, { clock, issuer, place, thief: await Web.open() }, settings);
  }

  /** Another provider for users of this browser. */
  user(options: Partial<OauthOptions> = {}): ReturnType<typeof oauth> {
    return oauth({
      client: { name: 'honest' },
      interaction: this.browser,
      clock: this.clock,
      onEvent: (event) => this.events.push(event),
      ...options,
    });
  }

  /** Changes what the authorization server does; what it issues is kept a secret still. */
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

  /** The address clients are given. */
  get url(): string {
    return this.way.carrier === 'sse' ? `${this.place.origin}/sse` : this.place.url;
  }

  /** Connects a client, to the protected server unless told otherwise. */
  async connect(
    url: string = this.url,
    auth: Provider = this.auth,
    more: Partial<ClientOptions> = {},
  ): Promise<Client> {
    const { revision, carrier } = this.way;
    const options = {
      info: { name: 'honest', version: '1' },
      revision,
      reconnect: false,
      ...more,
      onError: (error: unknown) => this.told.push(error),
    } as const;
    const client =
      carrier === 'sse'
        ? await connect(sseTarget(url, { auth }), options)
        : await connect(url, { ...options, auth });
    this.#clients.push(client);
    return client;
  }

  /** Connects, and has a tool called. */
  async call(name = 'who', input: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const client = this.#clients.at(-1) ?? (await this.connect());
    return textOf(await client.callTool(name, input));
  }

  /** How often the user was sent to sign in. */
  get prompts(): number {
    return this.browser.visited.length;
  }

  /** Closes everything. Nothing that is secret may have been told to anybody by then. */
  async close(): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.place.close();
    this.#gather();
    await this.issuer.close();
    this.thief.close();
    const { thrown, events, told } = this;
    const { refused, arrived, notes } = this.place;
    this.secrets.expectNone({ thrown, events, told, refused, 'errors of the server': notes.errors });
    this.secrets.expectNone({ 'an address': arrived.map(({ url }) => url), ends: this.browser.ends });
    const asked = this.issuer.requests
      .filter(({ endpoint }) => endpoint !== 'authorize')
      .map(({ url }) => url);
    this.secrets.expectNone({ 'an address of the authorization server': asked });
    this.secrets.expectNone({ 'what the thief heard': this.thief.heard });
  }

  /** All that was secret between those who are honest. */
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
      secrets.add('what the client is known by', headers.authorization?.replace(/^\w+ /, ''));
    }
    for (const { clientSecret } of this.issuer.clients.values()) secrets.add('a client secret', clientSecret);
    for (const url of this.browser.returned) {
      const code = url.searchParams.get('code');
      if (code !== codeOfThief) secrets.add('a code', code);
    }
  }
}

/** The first error about authorization among an error and its causes. */
export function authErrorIn(error: unknown): AuthError | undefined {
  for (let one = error; one instanceof Error; one = one.cause)
    if (one.name === 'AuthError') return one as AuthError;
  return undefined;
}

/** What a row says of an error it did not expect. */
export function told(error: unknown): string {
  return inspect(error, { depth: 4 }).slice(0, 2_000);
}

export function textOf({ content }: { readonly content?: unknown }): string {
  const [block] = (content ?? []) as readonly { readonly text?: string }[];
  return block?.text ?? '';
}

export { printed };
