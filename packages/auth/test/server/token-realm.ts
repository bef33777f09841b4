import type { GuardedRequest, JsonObject } from '@tenon/mcp-protocol';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import type { TokenRealm } from '../../src/verifiers/verify.js';

/** A protected resource with a clock that stands still on a day of 2027. */
export interface TestRealm extends TokenRealm {
  readonly clock: FakeClock;
  /** Seconds since 1970, as in tokens. */
  readonly seconds: number;
  /** Returns the claims of a token that is valid for ten minutes. */
  claims(changed?: Readonly<Record<string, unknown>>): JsonObject;
}

export const testIssuer = 'https://auth.example';
export const testResource = 'https://mcp.example/mcp';

/** A request for verifiers that ignore it. */
export const anyRequest: GuardedRequest = { method: 'POST', url: '/mcp', header: () => undefined };

export function testRealm(issuers: readonly string[] = [testIssuer]): TestRealm {
  const clock = new FakeClock();
  clock.stall(1_800_000_000_000);
  return {
    resource: testResource,
    authorizationServers: issuers,
    clock,
    get seconds() {
      return clock.now() / 1_000;
    },
    claims(changed = {}) {
      const now = clock.now() / 1_000;
      const own = { iss: issuers[0], aud: testResource, sub: 'alice', client_id: 'app', scope: 'read write' };
      const times = { iat: now, exp: now + 600 };
      // Removes undefined members.
      return JSON.parse(JSON.stringify({ ...own, ...times, ...changed })) as JsonObject;
    },
  };
}
