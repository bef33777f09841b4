import type { Clock } from '@tenon/foundation';
import {
  type CallToolResult,
  type CapabilitySettings,
  type CustomNotification,
  type CustomNotificationParams,
  decodeResult,
  type InputRequest,
  type InputResponse,
  type Method,
  type MethodParams,
  type MethodResult,
  type ReadResourceResult,
  type RequestRow,
  SessionError,
} from '@tenon/mcp-protocol';
import { describeProblem } from '@tenon/mcp-protocol/internal';
import type { CallOptions } from '../calls/call-options.js';
import { readResource } from '../features/resources.js';
import type { Change, Watch, WatchFilter } from '../features/subscriptions/watcher.js';
import type { ToolResult } from '../features/tools.js';
import type { Session } from '../session/session.js';
import type { ClientExtensions } from './client-extensions.js';
import type { ExtensionClient, ExtensionServer } from './extension.js';
import type { ExtensionHost } from './installation.js';

const never: AbortSignal = new AbortController().signal;

/** The {@link ExtensionClient} of one extension. */
export class BoundExtensionClient implements ExtensionClient {
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

  get server(): ExtensionServer | undefined {
    const { session } = this.#host.caller.supervisor;
    return session && this.#serverOf(session);
  }

  get clock(): Clock {
    return this.#host.clock;
  }

  /** True if the server is known, and the extension is not in use with it. */
  get isUnused(): boolean {
    return this.#host.caller.supervisor.session !== undefined && this.settings === undefined;
  }

  async waitForServer(signal?: AbortSignal): Promise<ExtensionServer> {
    return this.#serverOf(await this.#host.caller.supervisor.waitForSession(signal));
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

  async notify<N extends CustomNotification>(
    notification: N,
    params: CustomNotificationParams<N>,
  ): Promise<void> {
    await this.#requireInUse(notification.name, undefined);
    const { caller, methods } = this.#host;
    await methods.notify(caller, notification, params);
  }

  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult> {
    return readResource(this.#host.caller, uri, options);
  }

  watch(filter: WatchFilter, listener: (change: Change) => void): Promise<Watch> {
    return this.#host.watch(filter, listener);
  }

  async answerInput(
    { method, params = {} }: InputRequest,
    { signal = never }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<InputResponse> {
    const { caller, inputRequests } = this.#host;
    const { revision } = await caller.supervisor.waitForSession(signal);
    const row = revision.inputRequests.get(method);
    const problem = row?.params(params);
    if (problem !== undefined)
      throw new SessionError(
        'invalid-answer',
        `The server sent an invalid input request ${method}: ${describeProblem(problem, 'params')}`,
      );
    const pending = { method, params: { ...params }, revision, signal };
    inputRequests.admit([pending]);
    const answer = await inputRequests.answerInResult(pending);
    return (row?.encodeResult?.(answer) ?? answer) as object as InputResponse;
  }

  async readToolResult(tool: string, result: unknown): Promise<ToolResult> {
    const { revision } = await this.#host.caller.supervisor.waitForSession();
    const row = revision.requests.client.get('tools/call') as RequestRow;
    const decoded = decodeResult(revision, row, result);
    if (decoded.ok && Array.isArray(decoded.value.content))
      return this.#host.checkedResult(tool, decoded.value as object as CallToolResult);
    const problem = decoded.ok ? 'result.content: expected a list' : decoded.problem;
    throw new SessionError('invalid-answer', `The result of the tool "${tool}" is not valid: ${problem}`);
  }

  onError(error: unknown): void {
    this.#host.onError(error, `extension ${this.#id}`);
  }

  #serverOf({ endpoint: { connection }, revision, capabilities, server }: Session): ExtensionServer {
    const { address } = this.#host;
    const named = server === undefined ? 'server' : `server ${server.name}`;
    const transport = connection.facts.transport ?? (address === undefined ? undefined : 'http');
    return { revision, capabilities, endpoint: address ?? named, transport };
  }

  async #requireInUse(what: string, signal: AbortSignal | undefined): Promise<void> {
    this.#extensions.requireInUse(this.#id, await this.#host.caller.supervisor.waitForSession(signal), what);
  }
}
