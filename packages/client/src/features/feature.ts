import { detach } from '@tenon/foundation';
import type { ClientCapabilities, Extensions, Method, Revision } from '@tenon/mcp-protocol';
import type { Behaviour, NotificationHandler } from '@tenon/mcp-session';
import type { InputRequestHandler } from '../input/input-requests.js';
import type { Session } from '../session/session.js';
import type { ClientMethodHandler, CustomMethods, ReceivedNotification } from './custom-methods.js';

/** A method outside the core that the server calls. */
export interface FeatureMethod {
  readonly method: Method;
  readonly handler: ClientMethodHandler;
  /** Throws to reject a request. */
  readonly admit?: () => void;
}

/** One feature of a client, as contributions of a closed set of kinds: the core's features and extensions are made of the same. */
export interface Feature {
  /** The source of its errors, for `onError`. */
  readonly name: string;
  /**
   * Returns the declared capabilities in a revision.
   * @param before - those of the features before this one.
   */
  capabilities?(revision: Revision, before: ClientCapabilities): ClientCapabilities;
  /** Methods of the core that the server calls, by a request of its own or inside a result. */
  readonly inputs?: Readonly<Record<string, InputRequestHandler>>;
  /** Methods outside the core that the server calls. */
  readonly methods?: readonly FeatureMethod[];
  /** Notifications of the core, by name. Features that handle the same one receive it in the order of their list. */
  readonly notifications?: Readonly<Record<string, NotificationHandler>>;
  /** Notifications outside the core. */
  readonly listeners?: readonly ReceivedNotification[];
  /** A session has begun. */
  start?(session: Session): unknown;
  /** The session has ended; another may follow. `reason` is undefined if the client was closed. */
  lost?(reason?: Error): void;
  /** Notifications may have been missed in an open session. */
  missed?(): void;
  /** The client has ended; `reason` is undefined if it was closed. */
  stop?(reason: unknown): unknown;
}

/** The features of one client, as one. */
export class Features {
  readonly #all: readonly Feature[];
  readonly #onError: Behaviour['onError'];

  constructor(all: readonly Feature[], onError: Behaviour['onError']) {
    this.#all = all;
    this.#onError = onError;
  }

  /** The capabilities of all features, by revision. */
  capabilities(revisions: readonly Revision[]): ReadonlyMap<Revision, ClientCapabilities> {
    return new Map(revisions.map((revision) => [revision, this.#capabilitiesIn(revision)]));
  }

  /** Handlers of the server's requests, by method. */
  inputs(): ReadonlyMap<string, InputRequestHandler> {
    return new Map(this.#all.flatMap(({ inputs = {} }) => Object.entries(inputs)));
  }

  /** Handlers of notifications of the core, by name. */
  notifications(): Map<string, NotificationHandler> {
    const handlers = new Map<string, NotificationHandler>();
    for (const { notifications = {} } of this.#all) {
      for (const [name, next] of Object.entries(notifications)) {
        const first = handlers.get(name);
        handlers.set(name, first === undefined ? next : inTurn(first, next));
      }
    }
    return handlers;
  }

  /** Adds the methods and notifications outside the core. @throws TypeError if a method has a handler already or belongs to the core. */
  register(custom: CustomMethods): void {
    for (const { methods = [], listeners = [] } of this.#all) {
      for (const { method, handler, admit } of methods) custom.handle(method, handler, admit);
      for (const { notification, listener } of listeners)
        custom.listen(notification, listener as (params: unknown) => unknown);
    }
  }

  start(session: Session): void {
    this.#each((feature) => feature.start?.(session));
  }

  lost(reason: Error | undefined): void {
    this.#each((feature) => feature.lost?.(reason));
  }

  missed(): void {
    this.#each((feature) => feature.missed?.());
  }

  stop(reason: unknown): void {
    this.#each((feature) => feature.stop?.(reason));
  }

  #capabilitiesIn(revision: Revision): ClientCapabilities {
    let all: ClientCapabilities = {};
    for (const feature of this.#all) {
      const part = feature.capabilities?.(revision, all) ?? {};
      const extensions: Extensions = { ...all.extensions, ...part.extensions };
      const named = Object.keys(extensions).length > 0;
      all = { ...all, ...part, ...(named && { extensions }) };
    }
    return all;
  }

  #each(task: (feature: Feature) => unknown): void {
    for (const feature of this.#all) {
      const failed = (error: unknown) => this.#onError(error, feature.name);
      try {
        const work = task(feature);
        if (work instanceof Promise) detach(work, failed);
      } catch (error) {
        failed(error);
      }
    }
  }
}

function inTurn(first: NotificationHandler, next: NotificationHandler): NotificationHandler {
  return (params, conversation) => {
    first(params, conversation);
    next(params, conversation);
  };
}
