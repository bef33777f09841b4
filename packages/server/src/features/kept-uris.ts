import type { Visibility } from '../registry.js';

/** Who may read something: everybody where it has neither. */
export interface Keeping {
  readonly visible: Visibility | undefined;
  readonly scopes: readonly string[] | undefined;
}

/** Resources that not everybody may read, found by every spelling of their URIs that templates take for the same. */
export class KeptUris {
  readonly #kept = new Map<string, Set<Keeping>>();

  add(uri: string, entry: Keeping): void {
    if (entry.visible === undefined && entry.scopes === undefined) return;
    const key = likenessOf(uri);
    this.#kept.set(key, (this.#kept.get(key) ?? new Set()).add(entry));
  }

  remove(uri: string, entry: Keeping): void {
    const key = likenessOf(uri);
    const alike = this.#kept.get(key);
    alike?.delete(entry);
    if (alike?.size === 0) this.#kept.delete(key);
  }

  /** What keeps a URI, however it is spelled. */
  of(uri: string): Iterable<Keeping> {
    return this.#kept.size === 0 ? [] : (this.#kept.get(likenessOf(uri)) ?? []);
  }
}

/** A URI with its escapes taken for what they stand for, once, as templates do; itself where they stand for nothing. */
export function unescapedUri(uri: string): string {
  if (!uri.includes('%')) return uri;
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** The same for URIs that a template may read the same values from: parameters may come in any order. */
function likenessOf(uri: string): string {
  const pieces = unescapedUri(uri).split(/[?&;]/);
  return pieces
    .map((piece) => piece.replace(/=$/, ''))
    .sort()
    .join('&');
}
