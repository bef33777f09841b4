import type { GrantTools } from '../src/client/grant.js';
import { MemoryAuthStore } from '../src/client/memory-store.js';
import type { OauthHttp } from '../src/http/oauth-http.js';
import { ManualClock } from './manual-clock.js';

/** A time of day that looks like one, in milliseconds since 1970. */
export const someDay = 1_800_000_000_000;

/** What obtaining a token may use, at {@link someDay}. */
export function grantTools(http: OauthHttp, given: Partial<GrantTools> = {}): GrantTools {
  const clock = new ManualClock();
  clock.stall(someDay);
  return { http, store: new MemoryAuthStore(), clock, dpop: undefined, signal: undefined, ...given };
}

/** The fields of a form that was sent. */
export function formOf(request: { readonly body?: string } | undefined): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(request?.body));
}

/** What went wrong, or that nothing did. */
export async function failureOf(task: Promise<unknown>): Promise<unknown> {
  try {
    await task;
  } catch (error) {
    return error;
  }
  throw new Error('Nothing went wrong.');
}

/** Everything an error can show: its message, stack, members and causes. */
export function allTextsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = JSON.stringify(error, Object.getOwnPropertyNames(error));
  return [error.message, error.stack, own, error.cause === undefined ? '' : allTextsOf(error.cause)].join(
    '\n',
  );
}
