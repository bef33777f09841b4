import type { ClientContributions, ExtensionClient } from './extension.js';

/** The members that extensions added to each client, by extension. */
const added = new WeakMap<object, ReadonlyMap<ClientContributions, object>>();

/** Makes every client a promise, which `await connect(...)` would wait for. */
const thenable = 'then';

/** The members that the extensions of one client add to it. */
export class ExtensionMembers {
  readonly #byExtension = new Map<ClientContributions, object>();
  readonly #properties: Record<string, PropertyDescriptor> = Object.create(null);

  /**
   * @param clients - by the ids of their extensions.
   * @param prototype - has the members of every client.
   * @throws TypeError if an extension returns no object, or a name is taken.
   */
  constructor(
    extensions: readonly ClientContributions[],
    clients: ReadonlyMap<string, ExtensionClient>,
    prototype: object,
  ) {
    const owners = new Map<string, string>();
    for (const extension of extensions) {
      const { id } = extension;
      const client = clients.get(id);
      const members: unknown = client === undefined ? undefined : extension.members?.(client);
      if (extension.members !== undefined && (typeof members !== 'object' || members === null))
        throw new TypeError(`Extension "${id}": members() must return an object, such as { tasks }.`);
      this.#byExtension.set(extension, members ?? {});
      for (const [name, value] of Object.entries(members ?? {})) {
        const owner = name in prototype || name === thenable ? 'every client' : owners.get(name);
        if (owner !== undefined)
          throw new TypeError(`Extension "${id}": the member "${name}" belongs to ${owner} already.`);
        owners.set(name, `"${id}"`);
        this.#properties[name] = { value, enumerable: true };
      }
    }
  }

  addTo(client: object): void {
    Object.defineProperties(client, this.#properties);
    added.set(client, this.#byExtension);
  }
}

/** Returns the members that an extension added to a client. @throws TypeError if the client was made without the extension. */
export function addedMembers(extension: ClientContributions, client: object): object {
  const members = added.get(client)?.get(extension);
  if (members !== undefined) return members;
  throw new TypeError(
    `This client was made without the extension "${extension.id}": connect(target, { extensions: [extension] }), and give of() the client that it returns.`,
  );
}
