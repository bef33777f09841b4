import { type ClientCapabilities, ErrorCode, type Revision, RpcError } from '@tenon/mcp-protocol';
import type { Feature } from '../features/feature.js';
import type { BoundExtensionClient } from './bound-extension-client.js';
import type { ClientExtensions } from './client-extensions.js';
import type { ClientContributions } from './extension.js';

/** An extension as a feature of its client. */
export function extensionFeature(
  extension: ClientContributions,
  extensions: ClientExtensions,
  client: BoundExtensionClient,
): Feature {
  const { id, methods = [], notifications = [] } = extension;
  let ended: ReturnType<NonNullable<ClientContributions['onSession']>>;
  return {
    name: `extension ${id}`,
    capabilities: (revision, before) => {
      const settings = extension.clientDeclares === false ? undefined : extensions.declared(id, revision);
      return {
        ...coreCapabilities(extension, revision, before),
        ...(settings !== undefined && { extensions: { [id]: settings } }),
      };
    },
    methods: methods.map(({ method, handler }) => ({
      method: extensions.within(id, method),
      handler: (params, ctx) =>
        handler(params, {
          client,
          get signal() {
            return ctx.signal;
          },
        }),
      admit: () => {
        if (client.isUnused) throw new RpcError(ErrorCode.methodNotFound, `Method not found: ${method.name}`);
      },
    })),
    listeners: notifications.map(({ notification, listener }) => ({
      notification: extensions.within(id, notification),
      // A notification may arrive before the session has begun, when the server's extensions are not known yet.
      listener: (params) => (client.isUnused ? undefined : listener(params, client)),
    })),
    start: async ({ revision }) => {
      ended = extension.onSession?.(client, revision.id);
      if (client.settings !== undefined) await extension.start?.(client);
    },
    lost: (reason) => {
      ended?.(reason);
      ended = undefined;
    },
    stop: async () => extension.stop?.(client),
  };
}

/** The capabilities of the core that the extension implements in a revision. @throws TypeError if another part of the client has one. */
function coreCapabilities(
  extension: ClientContributions,
  revision: Revision,
  before: ClientCapabilities,
): ClientCapabilities {
  const capabilities = extension.capabilities?.(revision, before) ?? {};
  for (const name of Object.keys(capabilities)) {
    const owner = implemented.has(name) ? 'the core' : 'another extension';
    if (owner === 'the core' || Object.hasOwn(before, name))
      throw new TypeError(`Extension "${extension.id}": the capability "${name}" belongs to ${owner}.`);
  }
  return capabilities;
}

/** Capabilities that the core implements, or that options of the client set. */
const implemented: ReadonlySet<string> = new Set<keyof ClientCapabilities>([
  'experimental',
  'extensions',
  'roots',
  'sampling',
  'elicitation',
]);
