/**
 * A store for secrets by name, such as the keychain of the operating system. The environment is one too:
 * `{ get: (name) => process.env[name] }`.
 */
export interface Keychain {
  /** Returns a secret; undefined if there is none. */
  get(name: string): string | undefined | Promise<string | undefined>;
  /** Absent if secrets cannot be changed here. */
  set?(name: string, secret: string): void | Promise<void>;
  /** Absent if secrets cannot be deleted here. */
  delete?(name: string): void | Promise<void>;
}

/** The error of a vault: a secret is missing, or credentials would reach another user or server. It contains no secret. */
export class VaultError extends Error {
  override readonly name: string = 'VaultError';
}
