import { inspect } from 'node:util';
import { expect } from 'vitest';

/** Shorter ones are found by chance, and no secret is as short. */
const shortest = 8;
/** Characters of a piece that is as bad as the whole. */
const piece = 24;

/** All that must not be told: what was issued, and what proves who somebody is. */
export class Secrets {
  /** What it is, by its value. */
  readonly #known = new Map<string, string>();

  add(what: string, value: unknown): void {
    if (typeof value === 'string' && value.length >= shortest) this.#known.set(value, what);
  }

  get size(): number {
    return this.#known.size;
  }

  /** Which of them stand in a text, in any of the ways in which texts are written. */
  in(text: string): string[] {
    return [...this.#known].flatMap(([value, what]) =>
      forms(value).some((form) => text.includes(form)) ? what : [],
    );
  }

  /** Holds things to be without any of them, however they are printed. */
  expectNone(things: Readonly<Record<string, unknown>>): void {
    for (const [where, thing] of Object.entries(things)) {
      expect(this.in(printed(thing)), `told in ${where}`).toEqual([]);
    }
  }
}

/** A secret as it may be written, whole or in pieces. */
function forms(value: string): string[] {
  // The header of a JWT is the same for all of them.
  const body = /^eyJ[\w-]+\.[\w-]+\./.test(value) ? value.slice(value.indexOf('.')) : value;
  const pieces = Array.from({ length: Math.floor(body.length / piece) }, (_, n) =>
    body.slice(n * piece, (n + 1) * piece),
  );
  return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), ...pieces];
}

/** Everything that anybody could print of a thing: an error with its causes, a record of a log. */
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
