import { detach } from '@tenon/foundation';
import { type CallToolParams, SessionError, type UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { OpenCall, OpenResults } from '../calls/call.js';
import { nameOfCall } from '../calls/call-errors.js';
import type { Session } from '../session/session.js';
import type { ClientExtensions } from './client-extensions.js';
import type { ExtensionClient } from './extension.js';

/** Returns results of tool calls for results of types that extensions add. */
export class ResultTypes implements OpenResults {
  readonly #extensions: ClientExtensions;
  readonly #clients: ReadonlyMap<string, ExtensionClient>;

  /** @param clients - by the ids of their extensions. */
  constructor(extensions: ClientExtensions, clients: ReadonlyMap<string, ExtensionClient>) {
    this.#extensions = extensions;
    this.#clients = clients;
  }

  outlasts(params: object, session: Session): boolean {
    return this.#extensions.outlasting.some(
      (type) =>
        type.outlasts?.(params as CallToolParams) === true &&
        this.#clientInUse(type.id, session) !== undefined,
    );
  }

  abandon(result: UnknownObject, { params, options, session }: Parameters<OpenResults['abandon']>[1]): void {
    const owned = this.#extensions.resultTypeOf(result);
    const client = owned && this.#clientInUse(owned.id, session);
    if (client === undefined) return;
    const signal = options?.signal ?? AbortSignal.abort();
    const call = { params: params as CallToolParams, options: { ...options, signal }, client };
    detach((async () => owned?.abandon?.(result, call))(), (error) => client.onError(error));
  }

  /**
   * Returns the final result of a call: the given one, unless it is of an extension's type.
   * @throws SessionError `invalid-answer` if the server did not declare the extension; TypeError if the extension returns no tool
   * result; the reason of the call's signal if it aborts; and errors of the extension.
   */
  async final(result: UnknownObject, call: OpenCall): Promise<UnknownObject> {
    const { method, options, session, limits } = call;
    const owned = method === 'tools/call' ? this.#extensions.resultTypeOf(result) : undefined;
    if (owned === undefined) return result;
    const { id, type, lasting } = owned;
    const client = this.#clientInUse(id, session);
    if (client === undefined)
      throw new SessionError(
        'invalid-answer',
        `The answer to ${nameOfCall(call)} has the result type "${type}" of the extension "${id}", which is not in use with this server.`,
      );
    if (lasting === true && options?.total === undefined) limits.unlimit();
    const params = call.params as CallToolParams;
    const settled: unknown = await limits.within(async (signal) =>
      owned.settle(result, { params, options: { ...options, signal }, client }),
    );
    if (isObject(settled) && Array.isArray(settled.content)) return settled;
    throw new TypeError(
      `Extension "${id}" returned no result for ${nameOfCall(call)}: settle() must return an object with a list "content".`,
    );
  }

  #clientInUse(id: string, session: Session): ExtensionClient | undefined {
    return this.#extensions.settings(id, session) === undefined ? undefined : this.#clients.get(id);
  }
}
