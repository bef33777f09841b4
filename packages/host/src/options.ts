import { type Clock, type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import type { ClientExtension, Implementation, Root } from '@tenon/mcp-client';
import type { Consent } from './access/consent.js';
import type { GrantStore } from './access/grant-store.js';
import type { Policy } from './access/policy.js';
import type { AuditLog } from './audit/audit-log.js';
import type { HostInput } from './input/host-input.js';
import type { Vault } from './servers/credentials.js';
import type { HostServer } from './servers/server-settings.js';

/** Servers by name that change while the host runs, such as those of a configuration file. */
export interface LiveServers {
  /** The servers at present. */
  readonly servers: Readonly<Record<string, HostServer>>;
  /**
   * Calls `changed` whenever `servers` has changed.
   * @returns a function that stops this.
   */
  watch(changed: () => void): () => void;
  /** Called when the host closes. */
  close?(): void;
}

/** Options of `createHost`. */
export interface HostOptions extends HostInput {
  /** The client info that servers receive. */
  readonly info: Implementation;
  /** The servers, by the names that users know them by. Default: none; see `host.servers.add`. */
  readonly servers?: Readonly<Record<string, HostServer>> | LiveServers;
  /** Decides on every request. Default: the user is asked for each. */
  readonly policy?: Policy;
  /** Gets the consent of the user. Default: the host has no user, and a request that needs consent is refused. */
  readonly consent?: Consent;
  /** Stores lasting answers and known tools. Default: in memory, until the host closes. */
  readonly grants?: GrantStore;
  /** Records every request. A request that it cannot record is refused. Default: none is recorded. */
  readonly audit?: AuditLog;
  /** Credentials by user and server. With it, the option `auth` of a server is not used for requests of a user. */
  readonly vault?: Vault;
  /** The roots that servers may request, once the user agreed. Default: none; servers cannot request them. */
  readonly roots?: readonly Root[];
  /** Extensions of every client. */
  readonly extensions?: readonly ClientExtension[];
  /** Whether names for models have the name of the server: `always`, or on `collision` only. Default: `always`. */
  readonly prefix?: 'always' | 'collision';
  /** Receives errors that no request rejects with, and the place where they happened. */
  readonly onError?: (error: unknown, where: string) => void;
  readonly clock?: Clock;
}

const { callable, list, object } = optionRules;

const rules: { readonly [Name in keyof Required<HostOptions>]: OptionRule } = {
  info: object,
  servers: object,
  policy: callable,
  consent: callable,
  grants: object,
  audit: object,
  vault: object,
  roots: list,
  extensions: list,
  prefix: { is: '"always" or "collision"', allows: (value) => value === 'always' || value === 'collision' },
  onElicit: callable,
  onElicitUrl: callable,
  onSample: callable,
  reviewSampling: object,
  onError: callable,
  clock: object,
};

/** @throws TypeError that says which option is unknown or wrong. */
export function requireHostOptions(options: HostOptions): void {
  requireOptions('createHost', options, rules);
  const { name, version } = options.info ?? {};
  if (typeof name !== 'string' || name === '' || typeof version !== 'string' || version === '')
    throw new TypeError(
      'A host needs a name and a version, such as { info: { name: "my-agent", version: "1.0.0" } }.',
    );
}
