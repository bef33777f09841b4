import { FakeClock } from '../../../testing/src/fake-clock.js';
import type { OauthHttp } from '../../src/http/oauth-http.js';
import type { GrantTools } from '../../src/oauth/grant.js';
import { MemoryAuthStore } from '../../src/store/memory-store.js';

/** A realistic time of day, in milliseconds since 1970. */
export const someDay = 1_800_000_000_000;

/** Returns the tools of a grant at {@link someDay}. */
export function grantTools(http: OauthHttp, given: Partial<GrantTools> = {}): GrantTools {
  const clock = new FakeClock();
  clock.stall(someDay);
  return { http, store: new MemoryAuthStore(), clock, dpop: undefined, signal: undefined, ...given };
}

/** The fields of a form that was sent. */
export function formOf(request: { readonly body?: string } | undefined): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(request?.body));
}

/** Returns the error of a promise; fails if it resolves. */
export async function failureOf(task: Promise<unknown>): Promise<unknown> {
  try {
    await task;
  } catch (error) {
    return error;
  }
  throw new Error('Nothing went wrong.');
}

/** Returns all texts of an error: message, stack, members and causes. */
export function allTextsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = JSON.stringify(error, Object.getOwnPropertyNames(error));
  return [error.message, error.stack, own, error.cause === undefined ? '' : allTextsOf(error.cause)].join(
    '\n',
  );
}
