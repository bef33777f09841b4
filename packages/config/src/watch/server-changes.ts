import type { ClientEnvironment } from '../clients/client-environment.js';
import { referencesOf } from '../entries/server-entry.js';
import type { ConfiguredServer } from '../servers/parse-servers.js';
import { digestOf } from './watched-file.js';

/** A difference between the servers before and after a change of files. A server is known by its client, file, scope and name. */
export interface ServerChanges {
  /** All servers, in the order of clients and files. */
  readonly servers: readonly ConfiguredServer[];
  readonly added: readonly ConfiguredServer[];
  /** As they were. */
  readonly removed: readonly ConfiguredServer[];
  /** The servers that run in another way than before, as they are now. */
  readonly changed: readonly ConfiguredServer[];
}

/** The servers of one moment, each with the digest of what decides how it runs. */
export type ServerDigests = ReadonlyMap<
  string,
  { readonly server: ConfiguredServer; readonly digest: string }
>;

/**
 * Returns the digests of servers.
 * @param fileDigest - returns the digest of the file of variables of a server; undefined if it has none.
 */
export function digestsOf(
  servers: readonly ConfiguredServer[],
  environment: ClientEnvironment,
  fileDigest: (server: ConfiguredServer) => string | undefined,
): ServerDigests {
  return new Map(
    servers.map((server) => {
      const { client, file, scope, name, folder, entry, isDisabled } = server;
      const variables = referencesOf(entry);
      const values = variables.map((one) => ('variable' in one ? environment.env[one.variable] : undefined));
      const parts = [folder, entry, isDisabled, values, fileDigest(server)];
      const key = JSON.stringify([client, file, scope, name]);
      return [key, { server, digest: digestOf(JSON.stringify(parts)) }];
    }),
  );
}

/** Returns the difference; undefined if there is none. */
export function changesBetween(before: ServerDigests, after: ServerDigests): ServerChanges | undefined {
  const added: ConfiguredServer[] = [];
  const changed: ConfiguredServer[] = [];
  for (const [key, { server, digest }] of after) {
    const old = before.get(key);
    if (old === undefined) added.push(server);
    else if (old.digest !== digest) changed.push(server);
  }
  const removed = [...before].filter(([key]) => !after.has(key)).map(([, { server }]) => server);
  if (added.length + changed.length + removed.length === 0) return undefined;
  return { servers: [...after.values()].map(({ server }) => server), added, removed, changed };
}
