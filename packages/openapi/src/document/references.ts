import { isRecord } from '@tenon/foundation';
import { pointerKeys, type UnknownObject } from '@tenon/json-schema/structure';
import { shown } from './texts.js';

/** The reason that an operation cannot be a tool. It is listed as skipped; the other operations are not affected. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

/** References to references: a longer chain is a cycle. */
const longestChain = 32;

/** The references of one document. Nothing is fetched: a reference to another file or URL is an error. */
export class References {
  readonly #root: UnknownObject;

  constructor(root: UnknownObject) {
    this.#root = root;
  }

  /**
   * Returns an object of the document: for a reference the target, with the description beside the reference.
   * @returns undefined if the value is not an object.
   * @throws Unsupported if the reference leads to another document, to nothing, or to itself.
   */
  follow(value: unknown): UnknownObject | undefined {
    let found = value;
    let description: unknown;
    for (let links = 0; isRecord(found) && typeof found.$ref === 'string'; links++) {
      if (links >= longestChain) throw new Unsupported(`the reference ${shown(found.$ref)} leads to itself`);
      description ??= found.description;
      found = this.target(found.$ref);
    }
    if (!isRecord(found)) return undefined;
    return typeof description === 'string' ? { ...found, description } : found;
  }

  /** Returns the value that a reference names. @throws Unsupported as {@link follow} does. */
  target(reference: string): unknown {
    const keys = pointerKeys(reference);
    if (keys === undefined)
      throw new Unsupported(
        `the reference ${shown(reference)} is not a JSON pointer into this document: bundle the document into one file first`,
      );
    let found: unknown = this.#root;
    for (const key of keys) {
      const isHolder = typeof found === 'object' && found !== null;
      if (!isHolder || !Object.hasOwn(found as object, key))
        throw new Unsupported(`the reference ${shown(reference)} leads to nothing`);
      found = (found as UnknownObject)[key];
    }
    return found;
  }
}
