import { type Clock, detach } from '@tenon/foundation';
import type { ServerCapabilities } from '@tenon/mcp-protocol';
import type { NotificationHandler, RequestHandler } from '@tenon/mcp-session';
import { unlessLate } from '@tenon/mcp-session/internal';

/**
 * One feature of a server: a value of contributions, each of a type that the server knows. The core's features and those of
 * extensions use the same types.
 */
export interface ServerFeature {
  /** The name for errors, and for the option `declare`; of an extension, its id. */
  readonly name: string;
  /** The feature is installed with its first entry, or when it is declared; all others at once. */
  readonly whenUsed?: boolean;
  readonly capabilities?: ServerCapabilities;
  readonly methods?: Readonly<Record<string, RequestHandler>>;
  readonly notifications?: Readonly<Record<string, NotificationHandler>>;
  /** Called once, with the first connection or request. */
  start?(): unknown;
  /**
   * Called once, when the server or an HTTP endpoint of it begins to drain, before its connections end; only if the feature was started.
   * Waited for up to the limit `drain`.
   */
  drain?(): unknown;
  /** Called when the server begins to close, before its connections end. */
  closing?(): void;
  /** Called once, after the connections have ended; only if the feature was started. Waited for up to the limit `drain`. */
  stop?(): unknown;
}

/** The parts of a server that features contribute to. */
export interface FeatureParts {
  readonly requests: Map<string, RequestHandler>;
  readonly notifications: Map<string, NotificationHandler>;
  readonly capabilities: { add(more: ServerCapabilities): void };
  readonly onError: (error: unknown, where: string) => void;
  readonly clock: Clock;
  readonly limits: { readonly drain: number };
}

/** The features of one server. */
export class Features {
  readonly #parts: FeatureParts;
  readonly #unused = new Map<string, ServerFeature>();
  readonly #installed: ServerFeature[] = [];
  #started = false;
  #drained: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(parts: FeatureParts) {
    this.#parts = parts;
  }

  /** True from the first connection or request on. */
  get started(): boolean {
    return this.#started;
  }

  /** @throws TypeError if another feature handles one of its methods or notifications. */
  add(feature: ServerFeature): void {
    if (feature.whenUsed === true) this.#unused.set(feature.name, feature);
    else this.#install(feature);
  }

  /** Installs a feature that waits for its first use; nothing happens if it is installed. */
  use(name: string): void {
    const feature = this.#unused.get(name);
    if (feature === undefined) return;
    this.#unused.delete(name);
    this.#install(feature);
  }

  /** Starts every feature, once. Errors of a start are reported. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    for (const feature of this.#installed) this.#start(feature);
  }

  /** Ends the work of every feature that would keep connections open. */
  closing(): void {
    for (const feature of this.#installed) feature.closing?.();
  }

  /** Drains every feature that was started, once. Errors are reported, also that a feature takes longer than the limit. */
  drain(): Promise<void> {
    // Later features may have work to leave.
    if (!this.#started) return Promise.resolve();
    this.#drained ??= this.#each('drain');
    return this.#drained;
  }

  /** Stops every feature that was started, once. Errors are reported, also that a feature takes longer than the limit. */
  stop(): Promise<void> {
    this.#stopped ??= this.#each('stop');
    return this.#stopped;
  }

  async #each(step: 'drain' | 'stop'): Promise<void> {
    if (!this.#started) return;
    const { clock, limits, onError } = this.#parts;
    const call = async (feature: ServerFeature) => feature[step]?.();
    await Promise.all(
      this.#installed.map(async (feature) => {
        const { name } = feature;
        try {
          await unlessLate(call(feature), `${name}: ${step}()`, { clock, limits });
        } catch (error) {
          onError(error, name);
        }
      }),
    );
  }

  #install(feature: ServerFeature): void {
    const { requests, notifications, capabilities } = this.#parts;
    const { name, methods = {}, notifications: received = {} } = feature;
    requireFree(requests, Object.keys(methods), `${name}: the method`);
    requireFree(notifications, Object.keys(received), `${name}: the notification`);
    for (const [method, handler] of Object.entries(methods)) requests.set(method, handler);
    for (const [method, handler] of Object.entries(received)) notifications.set(method, handler);
    if (feature.capabilities !== undefined) capabilities.add(feature.capabilities);
    this.#installed.push(feature);
    if (this.#started) this.#start(feature);
  }

  #start(feature: ServerFeature): void {
    if (feature.start === undefined) return;
    const started = async () => feature.start?.();
    detach(started(), (error) => this.#parts.onError(error, feature.name));
  }
}

function requireFree(taken: ReadonlyMap<string, unknown>, names: readonly string[], what: string): void {
  for (const name of names) {
    if (taken.has(name)) throw new TypeError(`${what} "${name}" has a handler already.`);
  }
}
