import { inspect } from 'node:util';
import { expect } from 'vitest';

/** Shorter texts match by chance, and every secret is longer. */
const shortest = 8;
/** Number of characters from which a part of a secret counts as a leak. */
const piece = 24;

/** The secrets of a scene: issued tokens and codes, and credentials. */
export class Secrets {
  /** The description of each secret, by value. */
  readonly #known = new Map<string, string>();

  add(what: string, value: unknown): void {
    if (typeof value === 'string' && value.length >= shortest) this.#known.set(value, what);
  }

  get size(): number {
    return this.#known.size;
  }

  /** Returns the secrets in a text, in any common encoding. */
  in(text: string): string[] {
    return [...this.#known].flatMap(([value, what]) =>
      forms(value).some((form) => text.includes(form)) ? what : [],
    );
  }

  /** Checks that no value contains a secret, in any printed form. */
  expectNone(things: Readonly<Record<string, unknown>>): void {
    for (const [where, thing] of Object.entries(things)) {
      expect(this.in(printed(thing)), `told in ${where}`).toEqual([]);
    }
  }
}

/** Returns the forms in which a secret may be written, whole or in parts. */
function forms(value: string): string[] {
  // All JWTs have the same header.
  const body = /^eyJ[\w-]+\.[\w-]+\./.test(value) ? value.slice(value.indexOf('.')) : value;
  const pieces = Array.from({ length: Math.floor(body.length / piece) }, (_, n) =>
    body.slice(n * piece, (n + 1) * piece),
  );
  return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), ...pieces];
}

/** Returns all texts that printing a value can show: an error with its causes, a record of a log. */
export function printed(thing: unknown): string {
  const seen = inspect(thing, { depth: 20, showHidden: true, maxArrayLength: null, maxStringLength: null });
  return [seen, ...messagesOf(thing), jsonOf(thing)].join('\n');
}

function messagesOf(thing: unknown): string[] {
  if (Array.isArray(thing)) return thing.flatMap(messagesOf);
  if (!(thing instanceof Error)) return [];
  return [thing.message, thing.stack ?? '', String(thing), ...messagesOf(thing.cause)];
}

function jsonOf(thing: unknown): string {
  try {
    return JSON.stringify(thing) ?? '';
  } catch {
    return '';
  }
}
