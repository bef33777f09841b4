import { detach } from '@tenon/foundation';
import type { Root, UnknownObject } from '@tenon/mcp-protocol';
import { isUrl } from '@tenon/mcp-protocol/internal';
import type { Behaviour } from '@tenon/mcp-session';
import type { InputRequestContext, InputRequestHandler } from '../input/input-requests.js';
import type { Session } from '../session/session.js';
import type { Feature } from './feature.js';

/** Roots that change by themselves, such as those of `folderRoots` in `@tenon/mcp-client/roots`. */
export interface LiveRoots {
  /** The roots at present. */
  list(context: InputRequestContext): readonly Root[] | Promise<readonly Root[]>;
  /**
   * Calls `changed` whenever `list` would return other roots.
   * @returns a function that stops this.
   */
  watch(changed: () => void): () => void;
}

/** The places a server may work in, a function that finds them, or roots that report their changes. */
export type RootSource =
  | readonly Root[]
  | ((context: InputRequestContext) => readonly Root[] | Promise<readonly Root[]>)
  | LiveRoots;

/** Roots as a feature of a client. */
export interface RootsFeature extends Feature {
  /** Replaces the roots and notifies the server. @throws TypeError for a root that is malformed. */
  replace(source: RootSource): Promise<void>;
}

/** The parts of a client that roots use. */
export interface RootsHost {
  readonly onError: Behaviour['onError'];
  /** The session at present. */
  session(): Session | undefined;
}

/** @throws TypeError for a root that is not a `file:` URI, or has `..` in its path. */
export function rootsFeature(source: RootSource, { onError, session }: RootsHost): RootsFeature {
  const notify = async () => {
    await session()?.endpoint.notify('notifications/roots/list_changed', {});
  };
  const roots = new Roots(source, () => detach(notify(), (error) => onError(error, 'roots')));
  return {
    name: 'roots',
    capabilities: () => ({ roots: { listChanged: true } }),
    inputs: { 'roots/list': roots },
    start: () => roots.watch(),
    stop: () => roots.release(),
    replace: async (next) => {
      roots.replace(next);
      await notify();
    },
  };
}

/**
 * Answers `roots/list`.
 * https://modelcontextprotocol.io/specification/latest/client/roots
 * @deprecated by 2026-07-28: name directories in tool arguments or configuration.
 */
export class Roots implements InputRequestHandler {
  readonly #changed: () => void;
  #source: RootSource;
  #watches = false;
  #stop: (() => void) | undefined;

  /**
   * @param changed - called when a live source reports a change.
   * @throws TypeError for a root that is not a `file:` URI, or has `..` in its path.
   */
  constructor(source: RootSource, changed: () => void) {
    this.#source = checked(source);
    this.#changed = changed;
  }

  /** Replaces the roots. @throws TypeError as the constructor does. */
  replace(source: RootSource): void {
    this.#source = checked(source);
    if (!this.#watches) return;
    this.release();
    this.watch();
  }

  /** Listens to a live source, until {@link release}. */
  watch(): void {
    if (this.#watches) return;
    this.#watches = true;
    const source = this.#source;
    if (isLive(source)) this.#stop = source.watch(this.#changed);
  }

  release(): void {
    this.#watches = false;
    this.#stop?.();
    this.#stop = undefined;
  }

  async answer(_params: UnknownObject, context: InputRequestContext): Promise<UnknownObject> {
    const source = this.#source;
    if (isLive(source)) return { roots: requireFiles(await source.list(context)) };
    return { roots: typeof source === 'function' ? requireFiles(await source(context)) : source };
  }
}

function isLive(source: RootSource): source is LiveRoots {
  return typeof source === 'object' && source !== null && 'list' in source;
}

function checked(source: RootSource): RootSource {
  if (typeof source === 'function' || isLive(source)) return source;
  return [...requireFiles(source)];
}

function requireFiles(roots: readonly Root[]): readonly Root[] {
  if (!Array.isArray(roots)) throw new TypeError('Roots are a list, such as [{ uri: "file:///home/ada" }].');
  for (const root of roots as readonly (Root | undefined)[]) {
    const uri = root?.uri;
    if (typeof uri !== 'string' || !uri.startsWith('file://') || !isUrl(uri) || climbs.test(uri)) {
      const shown = JSON.stringify(uri ?? root);
      throw new TypeError(`A root must be a file:// URI without ".." in its path, not ${shown}.`);
    }
  }
  return roots;
}

/** A step up, written out or escaped. */
const climbs = /[\\/](?:\.|%2e){2}(?:[\\/?#]|$)/i;
