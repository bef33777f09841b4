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
import type { CallOptions } from '../calls/call-options.js';
import type { Feature } from '../features/feature.js';
import type { ClientExtensions } from './client-extensions.js';
import type { ClientContributions, ExtensionClient } from './extension.js';
import type { ExtensionHost } from './installation.js';

/** The client for one extension. */
export class ExtensionHandle implements ExtensionClient {
  readonly #id: string;
  readonly #extensions: ClientExtensions;
  readonly #host: ExtensionHost;

  constructor(id: string, extensions: ClientExtensions, host: ExtensionHost) {
    this.#id = id;
    this.#extensions = extensions;
    this.#host = host;
  }

  get settings(): CapabilitySettings | undefined {
    const { session } = this.#host.caller.supervisor;
    return session && this.#extensions.settings(this.#id, session);
  }

  /** True if the server is known, and the extension is not in use with it. */
  get isUnused(): boolean {
    return this.#host.caller.supervisor.session !== undefined && this.settings === undefined;
  }

  async request<M extends Method>(
    method: M,
    params: MethodParams<M>,
    options?: CallOptions,
  ): Promise<MethodResult<M>> {
    await this.requireInUse(method.name, options?.signal);
    const { caller, methods } = this.#host;
    return methods.call(caller, method, { params, options });
  }

  async notify<N extends Notice>(notice: N, params: NoticeParams<N>): Promise<void> {
    await this.requireInUse(notice.name, undefined);
    const { caller, methods } = this.#host;
    await methods.notify(caller, notice, params);
  }

  /** @throws SessionError `capability-missing`. */
  async requireInUse(what: string, signal: AbortSignal | undefined): Promise<void> {
    this.#extensions.requireInUse(this.#id, await this.#host.caller.supervisor.ready(signal), what);
  }
}

/** An extension as a feature of its client. */
export function extensionFeature(
  extension: ClientContributions,
  extensions: ClientExtensions,
  client: ExtensionHandle,
): Feature {
  const { id, methods = [], calls = [], notifications = [] } = extension;
  return {
    name: `extension ${id}`,
    capabilities: (revision) => {
      const settings = extensions.declared(id, revision);
      return settings === undefined ? {} : { extensions: { [id]: settings } };
    },
    methods: methods.map(({ method, handler }) => ({
      method: extensions.within(id, method),
      handler,
      admit: () => {
        if (client.isUnused) throw new RpcError(ErrorCode.methodNotFound, `Method not found: ${method.name}`);
      },
    })),
    calls: calls.map((method) => ({
      method,
      admit: (signal) => client.requireInUse(method.name, signal),
    })),
    listeners: notifications.map(({ notice, listener }) => ({
      notice: extensions.within(id, notice),
      // A notification may arrive before the session has begun, when the server's extensions are not known yet.
      listener: (params) => (client.isUnused ? undefined : listener(params, client)),
    })),
    start: async () => {
      if (client.settings !== undefined) await extension.start?.(client);
    },
    stop: async () => extension.stop?.(client),
  };
}
