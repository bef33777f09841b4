import type { Root, UnknownObject } from '@tenon/mcp-protocol';
import type { AskContext, AskHandler } from '../asks.js';

/** The places a server may work in, or a function that finds them. */
export type RootSource =
  | readonly Root[]
  | ((context: AskContext) => readonly Root[] | Promise<readonly Root[]>);

/**
 * Answers `roots/list`.
 * https://modelcontextprotocol.io/specification/latest/client/roots
 * @deprecated by 2026-07-28: name directories in tool arguments or configuration.
 */
export class Roots implements AskHandler {
  #source: RootSource;

  /** @throws TypeError for a root that is no `file:` URI, or has `..` in its path. */
  constructor(source: RootSource) {
    this.#source = checked(source);
  }

  /** Puts other roots in place. @throws TypeError as the constructor does. */
  replace(source: RootSource): void {
    this.#source = checked(source);
  }

  async answer(_params: UnknownObject, context: AskContext): Promise<UnknownObject> {
    const source = this.#source;
    return { roots: typeof source === 'function' ? requireFiles(await source(context)) : source };
  }
}

function checked(source: RootSource): RootSource {
  return typeof source === 'function' ? source : requireFiles([...source]);
}

function requireFiles(roots: readonly Root[]): readonly Root[] {
  for (const { uri } of roots) {
    if (!uri.startsWith('file://') || !URL.canParse(uri) || climbs.test(uri)) {
      throw new TypeError(`A root must be a file:// URI without ".." in its path, not "${uri}".`);
    }
  }
  return roots;
}

/** A step up, written out or escaped. */
const climbs = /[\\/](?:\.|%2e){2}(?:[\\/?#]|$)/i;
