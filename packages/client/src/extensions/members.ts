import type { ClientContributions, ExtensionClient } from './extension.js';

/** The members that extensions added to each client, by extension. */
const added = new WeakMap<object, ReadonlyMap<ClientContributions, object>>();

/** Makes every client a promise, which `await connect(...)` would wait for. */
const thenable = 'then';

/**
 * Makes the members that the extensions of one client add to it.
 * @param clients - by the ids of their extensions.
 * @param prototype - has the members of every client.
 * @returns a function that adds them to the client.
 * @throws TypeError if an extension returns no object, or a name is taken.
 */
export function extensionMembers(
  extensions: readonly ClientContributions[],
  clients: ReadonlyMap<string, ExtensionClient>,
  prototype: object,
): (client: object) => void {
  const byExtension = new Map<ClientContributions, object>();
  const properties: Record<string, PropertyDescriptor> = Object.create(null);
  const owners = new Map<string, string>();
  for (const extension of extensions) {
    const { id } = extension;
    const client = clients.get(id);
    const members: unknown = client === undefined ? undefined : extension.members?.(client);
    if (extension.members !== undefined && (typeof members !== 'object' || members === null))
      throw new TypeError(`Extension "${id}": members() must return an object, such as { tasks }.`);
    byExtension.set(extension, members ?? {});
    for (const [name, value] of Object.entries(members ?? {})) {
      const owner = name in prototype || name === thenable ? 'every client' : owners.get(name);
      if (owner !== undefined)
        throw new TypeError(`Extension "${id}": the member "${name}" belongs to ${owner} already.`);
      owners.set(name, `"${id}"`);
      properties[name] = { value, enumerable: true };
    }
  }
  return (client) => {
    Object.defineProperties(client, properties);
    added.set(client, byExtension);
  };
}

/** Returns the members that an extension added to a client. @throws TypeError if the client was made without the extension. */
export function addedMembers(extension: ClientContributions, client: object): object {
  const members = added.get(client)?.get(extension);
  if (members !== undefined) return members;
  throw new TypeError(
    `This client was made without the extension "${extension.id}": connect(target, { extensions: [extension] }), and give of() the client that it returns.`,
  );
}
