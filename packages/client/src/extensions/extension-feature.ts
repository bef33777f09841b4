import {
  type CapabilitySettings,
  ErrorCode,
  type Method,
  type MethodParams,
  type MethodResult,
  type Notice,
  type NoticeParams,
  RpcError,
} from '@tenon/mcp-protocol';
import type { CallOptions } from '../call-options.js';
import type { Caller } from '../caller.js';
import type { CustomMethods } from '../features/custom-methods.js';
import type { Feature } from '../features/feature.js';
import type { ClientExtensions } from './client-extensions.js';
import type { ClientExtension, ExtensionClient } from './extension.js';

/** What extensions need of their client. */
export interface ExtensionHost {
  readonly extensions: ClientExtensions;
  readonly caller: Caller;
  readonly methods: CustomMethods;
}

/** The client as one extension sees it. */
export class ExtensionHandle implements ExtensionClient {
  readonly #id: string;
  readonly #host: ExtensionHost;

  constructor(id: string, host: ExtensionHost) {
    this.#id = id;
    this.#host = host;
  }

  get settings(): CapabilitySettings | undefined {
    const { caller, extensions } = this.#host;
    const { session } = caller.lifeline;
    return session && extensions.settings(this.#id, session);
  }

  /** The server is known, and the extension is not in use with it. */
  get isUnused(): boolean {
    return this.#host.caller.lifeline.session !== undefined && this.settings === undefined;
  }

  async request<M extends Method>(
    method: M,
    params: MethodParams<M>,
    options?: CallOptions,
  ): Promise<MethodResult<M>> {
    await this.#requireInUse(method.name, options?.signal);
    const { caller, methods } = this.#host;
    return methods.call(caller, method, { params, options });
  }

  async notify<N extends Notice>(notice: N, params: NoticeParams<N>): Promise<void> {
    await this.#requireInUse(notice.name, undefined);
    const { caller, methods } = this.#host;
    await methods.notify(caller, notice, params);
  }

  async #requireInUse(what: string, signal: AbortSignal | undefined): Promise<void> {
    const { caller, extensions } = this.#host;
    extensions.requireInUse(this.#id, await caller.lifeline.ready(signal), what);
  }
}

/** An extension as a feature of its client. */
export function extensionFeature(
  extension: ClientExtension,
  extensions: ClientExtensions,
  client: ExtensionHandle,
): Feature {
  const { id, methods = [], notifications = [] } = extension;
  return {
    name: `extension ${id}`,
    capabilities: (revision) => {
      const settings = extensions.declaredIn(revision)?.[id];
      return settings === undefined ? {} : { extensions: { [id]: settings } };
    },
    methods: methods.map(({ method, handler }) => ({
      method: extensions.within(id, method),
      handler,
      admit: () => {
        if (client.isUnused) throw new RpcError(ErrorCode.methodNotFound, `Method not found: ${method.name}`);
      },
    })),
    listeners: notifications.map(({ notice, listener }) => ({
      notice: extensions.within(id, notice),
      // A notification may come before the session has begun: whether the server declared the extension is not known then.
      listener: (params) => (client.isUnused ? undefined : listener(params, client)),
    })),
    start: async () => {
      if (client.settings !== undefined) await extension.start?.(client);
    },
    stop: async () => extension.stop?.(client),
  };
}
