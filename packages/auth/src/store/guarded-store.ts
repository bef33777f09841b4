import { AuthError } from '../auth-error.js';
import type { AuthStore } from './auth-store.js';

const guards = new WeakMap<AuthStore, AuthStore>();

/** Returns a wrapper of a store that throws AuthErrors `storage`; always the same for one store. */
export function guardedStore(store: AuthStore): AuthStore {
  const made = guards.get(store);
  if (made !== undefined) return made;
  const guard: AuthStore = {
    // Many databases return null for a missing entry.
    get: (key) => guarded(async () => (await store.get(key)) ?? undefined),
    swap: (key, version, value) => guarded(async () => store.swap(key, version, value)),
    ...(store.exclusively !== undefined && {
      exclusively: (key, task, signal) => exclusively(store, { key, task, signal }),
    }),
  };
  guards.set(store, guard);
  return guard;
}

interface Exclusive<T> {
  readonly key: string;
  readonly task: () => Promise<T>;
  readonly signal: AbortSignal | undefined;
}

async function exclusively<T>(store: AuthStore, { key, task, signal }: Exclusive<T>): Promise<T> {
  // An error of the task is not an error of the store.
  const settled = () =>
    task().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
  const outcome = await guarded(async () => store.exclusively?.(key, settled, signal));
  if (outcome === undefined || 'error' in outcome) throw outcome?.error;
  return outcome.value;
}

async function guarded<T>(access: () => Promise<T>): Promise<T> {
  try {
    return await access();
  } catch (error) {
    throw error instanceof AuthError ? error : failure(error);
  }
}

function failure(cause: unknown): AuthError {
  return new AuthError('storage', 'The auth store failed; the cause is the error of the store.', {
    cause,
  });
}
