import { detach, follow, isRecord } from '@tenon/foundation';
import { type CallToolResult, ErrorCode, logLevels, RemoteError, RpcError } from '@tenon/mcp-protocol';
import { isOneOf, permissionsOnWire } from '../model/app-metadata.js';
import { displayModes, type HostCapabilities, type HostContext } from '../model/host-context.js';
import { appsVersion } from '../revisions/version.js';
import type { AppHostOptions, ViewBounds } from './app-host-options.js';
import { jsonSize, MessageRate } from './message-limits.js';
import { mayShow, type ViewState, viewRequests } from './view-requests.js';

type Id = string | number;
type Message = { readonly [key: string]: unknown };

/** The frame of a view, for its session. */
export interface ViewFrame {
  post(message: object): void;
  /** Milliseconds. */
  now(): number;
  resize(params: Message): void;
  /** Called once, when the view is initialized. */
  initialized(): void;
  /** Removes the frame. */
  remove(reason: string): void;
}

const longestId = 256;

/**
 * The messages between a host and one view. Nothing is sent before the view has initialized.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#communication-protocol
 */
export class ViewSession {
  readonly #options: AppHostOptions;
  readonly #bounds: ViewBounds;
  readonly #frame: ViewFrame;
  readonly #rate: MessageRate;
  readonly #running = new Map<Id, AbortController>();
  #state: 'loading' | 'answered' | 'open' | 'closed' = 'loading';
  #view: ViewState;
  #context: HostContext;
  #refused = 0;
  #hasInput = false;
  #teardown: (() => void) | undefined;

  constructor(options: AppHostOptions, bounds: ViewBounds, frame: ViewFrame) {
    this.#options = options;
    this.#bounds = bounds;
    this.#frame = frame;
    this.#rate = new MessageRate(bounds.messagesPerSecond, () => frame.now());
    this.#context = options.context ?? {};
    const { displayMode = 'inline', availableDisplayModes = [displayMode] } = this.#context;
    this.#view = { options, appModes: undefined, displayMode, hostModes: availableDisplayModes };
  }

  /** Handles a message of the view: anything that it can post. */
  receive(message: unknown): void {
    if (this.#state === 'closed') return;
    const problem = this.#problem(message);
    if (problem !== undefined) this.#refuse(message, problem);
    else this.#accept(message as Message);
  }

  /** Sends arguments as far as the model has written them. Ignored after the whole input. */
  partialInput(args: object): void {
    if (!this.#hasInput) this.#notify('ui/notifications/tool-input-partial', { arguments: args });
  }

  /** @throws TypeError if the input was sent already. */
  input(args: object): void {
    if (this.#hasInput) throw new TypeError('The view has received the input of its tool already.');
    this.#hasInput = true;
    this.#notify('ui/notifications/tool-input', { arguments: args });
  }

  /** @throws TypeError if no input was sent. */
  result(result: CallToolResult): void {
    if (!this.#hasInput)
      throw new TypeError('A view receives the input of its tool before the result: call input() first.');
    this.#notify('ui/notifications/tool-result', result);
  }

  cancelled(reason: string): void {
    this.#notify('ui/notifications/tool-cancelled', { reason });
  }

  /** @throws TypeError for a display mode that the view does not support. */
  update(changes: HostContext): void {
    const { displayMode } = changes;
    if (displayMode !== undefined && !mayShow(this.#view, displayMode))
      throw new TypeError(`The view does not support the display mode "${displayMode}".`);
    if (displayMode !== undefined) this.#view.displayMode = displayMode;
    this.#context = { ...this.#context, ...changes };
    this.#notify('ui/notifications/host-context-changed', changes);
  }

  /** The context as the view knows it. */
  get context(): HostContext {
    return { ...this.#context, displayMode: this.#view.displayMode };
  }

  /** Requests the view to save its data. Resolves with its answer; the caller bounds the time. */
  teardown(reason: string): Promise<void> {
    if (this.#state !== 'open') return Promise.resolve();
    return new Promise((resolve) => {
      this.#teardown = resolve;
      this.#post({ id: teardownId, method: 'ui/resource-teardown', params: { reason } });
    });
  }

  /** Ends the session: requests that run are cancelled, and later messages ignored. */
  close(reason: string): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    for (const running of this.#running.values()) running.abort(new Error(reason));
    this.#running.clear();
    this.#teardown?.();
    this.#frame.remove(reason);
  }

  /** Returns the error for a message that is refused before its contents are read. */
  #problem(message: unknown): RpcError | undefined {
    const { messageSize } = this.#bounds;
    if (!this.#rate.admit()) return new RpcError(ErrorCode.overloaded, 'Too many messages in one second');
    if (jsonSize(message, messageSize) === undefined)
      return invalid(`The message is not JSON, or has more than ${messageSize} characters`);
    if (!isRecord(message) || message.jsonrpc !== '2.0')
      return invalid('The message is not one of JSON-RPC 2.0');
    const { id, method, params = {} } = message;
    const isSound = method === undefined || (typeof method === 'string' && isRecord(params));
    return isSound && (id === undefined || isId(id))
      ? undefined
      : invalid('The message has a malformed id, method or params');
  }

  #accept({ id, method, params = {} }: Message): void {
    if (typeof method !== 'string') {
      if (id === teardownId) this.#teardown?.();
    } else if (!isId(id)) {
      this.#notified(method, params as Message);
    } else {
      this.#call('onRequest', () => this.#options.onRequest?.(method, params as Message));
      const problem = this.#refusal(id, method);
      if (problem !== undefined) this.#fail(id, problem);
      else if (method === 'ui/initialize') this.#initialize(id, params as Message);
      else this.#run(id, method, params as Message);
    }
  }

  #notified(method: string, params: Message): void {
    if (method === 'ui/notifications/initialized' && this.#state === 'answered') {
      this.#state = 'open';
      this.#frame.initialized();
    } else if (method === 'ui/notifications/size-changed') {
      this.#call('onSize', () => this.#frame.resize(params));
    } else if (method === 'notifications/cancelled') {
      if (isId(params.requestId))
        this.#running.get(params.requestId)?.abort(new Error('The view cancelled the request.'));
    } else if (method === 'notifications/message' && isOneOf(logLevels, params.level)) {
      const { level, data, logger } = params;
      this.#call('onLog', () =>
        this.#options.onLog?.({ level, data, ...(typeof logger === 'string' && { logger }) }),
      );
    }
  }

  /** Returns the error for a request that must not run now. */
  #refusal(id: Id, method: string): RpcError | undefined {
    if (method === 'ui/initialize')
      return this.#state === 'loading' ? undefined : invalid('The view has initialized already');
    if (!viewRequests.has(method))
      return new RpcError(ErrorCode.methodNotFound, `Method not found: ${method.slice(0, 128)}`);
    if (this.#state !== 'open') return invalid('The view is not initialized');
    if (this.#running.has(id)) return invalid('There is a request with this id already');
    const { pendingRequests } = this.#bounds;
    return this.#running.size < pendingRequests
      ? undefined
      : new RpcError(ErrorCode.overloaded, `${pendingRequests} requests are running already`);
  }

  #run(id: Id, method: string, params: Message): void {
    const running = new AbortController();
    this.#running.set(id, running);
    const mode = this.#view.displayMode;
    const isOver = () => this.#running.get(id) !== running || !this.#running.delete(id);
    const handle = async () => viewRequests.get(method)?.(params, this.#view, running.signal);
    follow(
      handle(),
      (result) => {
        if (isOver()) return;
        this.#post({ id, result });
        if (this.#view.displayMode !== mode) this.update({ displayMode: this.#view.displayMode });
      },
      (error) => {
        if (isOver()) return;
        if (error instanceof RpcError || error instanceof RemoteError) return this.#fail(id, error);
        this.#report(error, method);
        this.#fail(id, new RpcError(ErrorCode.internalError, 'Internal error'));
      },
    );
  }

  #initialize(id: Id, { appCapabilities }: Message): void {
    const modes = isRecord(appCapabilities) ? appCapabilities.availableDisplayModes : undefined;
    const appModes = Array.isArray(modes) ? displayModes.filter((mode) => modes.includes(mode)) : undefined;
    this.#view = { ...this.#view, appModes };
    this.#state = 'answered';
    const result = {
      protocolVersion: appsVersion,
      hostInfo: this.#options.info,
      hostCapabilities: capabilitiesOf(this.#options),
      hostContext: this.context,
    };
    this.#post({ id, result });
  }

  #fail(id: Id, { code, message }: { readonly code: number; readonly message: string }): void {
    this.#post({ id, error: { code, message } });
  }

  /** Answers a message that is refused before it is read, and closes a view that goes on. */
  #refuse(message: unknown, problem: RpcError): void {
    this.#refused += 1;
    if (this.#refused === 1) this.#report(problem, 'view');
    if (this.#refused > this.#bounds.refusedMessages)
      this.close(
        `The view sent more than ${this.#bounds.refusedMessages} messages that were refused: ${problem.message}.`,
      );
    else if (isRecord(message) && typeof message.method === 'string' && isId(message.id))
      this.#fail(message.id, problem);
  }

  #notify(method: string, params: object): void {
    if (this.#state === 'open') this.#post({ method, params });
  }

  #post(message: object): void {
    if (this.#state === 'closed') return;
    this.#frame.post({ jsonrpc: '2.0', ...message });
  }

  /** Calls a listener of the host; its errors go to `onError`. */
  #call(where: string, listener: () => unknown): void {
    const call = async () => listener();
    detach(call(), (error) => this.#report(error, where));
  }

  #report(error: unknown, where: string): void {
    try {
      this.#options.onError?.(error, where);
    } catch {
      // There is no other place for errors of the listener of errors.
    }
  }
}

const teardownId = 'host-teardown';

function invalid(problem: string): RpcError {
  return new RpcError(ErrorCode.invalidRequest, problem);
}

function isId(value: unknown): value is Id {
  return Number.isSafeInteger(value) || (typeof value === 'string' && value.length <= longestId);
}

function capabilitiesOf(options: AppHostOptions): HostCapabilities {
  const { server, app, onOpenLink, onLog, onMessage, onModelContext } = options;
  return {
    ...(onOpenLink !== undefined && { openLinks: {} }),
    ...(server !== undefined && { serverTools: {}, serverResources: {} }),
    ...(onLog !== undefined && { logging: {} }),
    ...(onMessage !== undefined && { message: { text: {} } }),
    ...(onModelContext !== undefined && { updateModelContext: { text: {}, structuredContent: {} } }),
    sandbox: { permissions: permissionsOnWire(grantedTo(options)), csp: app.csp },
  };
}

/** The permissions that the app requests and the host grants. */
export function grantedTo({ app, permissions = [] }: AppHostOptions): AppHostOptions['app']['permissions'] {
  return app.permissions.filter((name) => permissions.includes(name));
}
