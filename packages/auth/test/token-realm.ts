import type { GuardedRequest, JsonObject } from '@tenon/mcp-protocol';
import type { TokenRealm } from '../src/server/verify.js';
import { ManualClock } from './manual-clock.js';

/** A protected resource, whose clock stands still on a day of 2027 until it is told to go on. */
export interface TestRealm extends TokenRealm {
  readonly clock: ManualClock;
  /** Seconds since 1970, as tokens count. */
  readonly seconds: number;
  /** Claims of a token that is good for ten minutes. */
  claims(changed?: Readonly<Record<string, unknown>>): JsonObject;
}

export const testIssuer = 'https://auth.example';
export const testResource = 'https://mcp.example/mcp';

/** A request of which verifiers need not know anything. */
export const anyRequest: GuardedRequest = { method: 'POST', url: '/mcp', header: () => undefined };

export function testRealm(issuers: readonly string[] = [testIssuer]): TestRealm {
  const clock = new ManualClock();
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
      // What is undefined is left out.
      return JSON.parse(JSON.stringify({ ...own, ...times, ...changed })) as JsonObject;
    },
  };
}
