import type { Visibility } from '../../core/registry.js';

/** The access control of an entry; without either member, all callers may read it. */
export interface Keeping {
  readonly visible: Visibility | undefined;
  readonly scopes: readonly string[] | undefined;
}

/** Resources with access control, found by every spelling of their URIs that templates treat as equal. */
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

  /** Returns the access control of a URI, for all its spellings. */
  of(uri: string): Iterable<Keeping> {
    return this.#kept.size === 0 ? [] : (this.#kept.get(likenessOf(uri)) ?? []);
  }
}

/** Returns a URI with its escapes decoded once, as templates do; unchanged if they cannot be decoded. */
export function unescapedUri(uri: string): string {
  if (!uri.includes('%')) return uri;
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** Returns the same text for URIs with equal template values: parameters may be in any order. */
function likenessOf(uri: string): string {
  const pieces = unescapedUri(uri).split(/[?&;]/);
  return pieces
    .map((piece) => piece.replace(/=$/, ''))
    .sort()
    .join('&');
}
