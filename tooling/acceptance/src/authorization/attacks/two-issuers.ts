import type { FakeClock } from '@tenon/mcp-testing';
import {
  startTestAuthorizationServer,
  type TestAuthorizationServer,
  type TokenToIssue,
} from '@tenon/mcp-testing/oauth';
import { fakeTime } from './fake-time.js';
import { type PlaceSettings, ProtectedPlace } from './protected-place.js';
import { Web } from './web.js';

/** A protected server that trusts one issuer, and an issuer it does not trust. */
export class TwoIssuers {
  readonly clock: FakeClock;
  readonly honest: TestAuthorizationServer;
  readonly stranger: TestAuthorizationServer;
  /** The server that tokens name in their headers, to lure verifiers. */
  readonly thief: Web;
  readonly #places: ProtectedPlace[] = [];

  private constructor(parts: Pick<TwoIssuers, 'clock' | 'honest' | 'stranger' | 'thief'>) {
    this.clock = parts.clock;
    this.honest = parts.honest;
    this.stranger = parts.stranger;
    this.thief = parts.thief;
  }

  static async open(): Promise<TwoIssuers> {
    const clock = fakeTime();
    const options = {
      now: () => clock.now(),
      clients: [{ clientId: 'server', clientSecret: 'the-secret-of-the-server' }],
    };
    const [honest, stranger] = await Promise.all([
      startTestAuthorizationServer(options),
      startTestAuthorizationServer(options),
    ]);
    return new TwoIssuers({ clock, honest, stranger, thief: await Web.open() });
  }

  /** Starts a server that accepts tokens of the honest issuer, or of more issuers. */
  async place(
    protect: PlaceSettings['protect'] = {},
    issuers: readonly TestAuthorizationServer[] = [this.honest],
  ): Promise<ProtectedPlace> {
    const place = await ProtectedPlace.open({
      clock: this.clock,
      issuers: issuers.map(({ issuer }) => issuer),
      whole: true,
      protect,
    });
    this.#places.push(place);
    return place;
  }

  /** Returns a token of the honest issuer for a server, valid except for the changes. */
  token(place: ProtectedPlace, changes: TokenToIssue = {}): Promise<string> {
    return this.honest.issueToken({ audience: place.resource, subject: 'ada', ...changes });
  }

  async close(): Promise<void> {
    await Promise.all(this.#places.map((place) => place.close()));
    await Promise.all([this.honest.close(), this.stranger.close()]);
    this.thief.close();
  }
}
