import { type SchemaObject, SessionError, type Tool } from '@tenon/mcp-protocol';
import type { Inspect } from './output-interpreter.js';
import { heaviestTogether, ToolStore, weigh } from './tool-store.js';

/** The policy for results with an unusable schema, or that would take too long to check. */
export type UnverifiedOutput = 'accept' | 'reject';

export interface OutputSchemasOptions {
  /** Stored schemas; the oldest is dropped. */
  readonly limit: number;
  readonly unverified: UnverifiedOutput;
  /** Called once for each rejected schema. */
  readonly onError: (error: unknown, where: string) => void;
}

interface Entry {
  readonly name: string;
  /** Undefined if the schema is too large. */
  readonly schema: SchemaObject | undefined;
  inspect: Inspect | Promise<Inspect> | undefined;
}

/** Values of one schema. The memory of all stored schemas, checks included, stays below 250 MiB. */
const heaviest = 100_000;

/** Returns the weights of the last schemas of a page; those before them would not be stored. */
function lastWeights(tools: readonly Tool[]): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  let remaining = heaviestTogether;
  for (let index = tools.length - 1; index >= 0 && remaining > 0; index--) {
    const schema = tools[index]?.outputSchema;
    if (schema === undefined) continue;
    const weight = weigh(schema, heaviest);
    weights.set(index, weight);
    // Reading a too large schema costs as much as reading a stored one.
    remaining -= weight;
  }
  return weights;
}

/** The output schemas of the tools a client has listed. Schemas come from a peer: they are interpreted, never compiled. */
export class OutputSchemas {
  readonly #entries: ToolStore<Entry>;
  readonly #options: OutputSchemasOptions;

  /** @throws TypeError for an unknown policy. */
  constructor(options: OutputSchemasOptions) {
    const { unverified } = options;
    if (unverified !== 'accept' && unverified !== 'reject')
      throw new TypeError(
        `unverifiedOutput must be "accept" or "reject", not ${JSON.stringify(unverified)}.`,
      );
    this.#options = options;
    this.#entries = new ToolStore(options.limit);
  }

  /** Stores the tools of a page. */
  remember(tools: readonly Tool[]): void {
    const weights = lastWeights(tools);
    for (const [index, { name, outputSchema }] of tools.entries()) {
      this.#entries.delete(name);
      const weight = weights.get(index);
      if (weight === undefined) continue;
      const schema = weight < heaviest ? outputSchema : undefined;
      this.#entries.set(name, { name, schema, inspect: undefined }, schema ? weight : 1);
    }
  }

  /** Drops all: the server's tools have changed. */
  forget(): void {
    this.#entries.clear();
  }

  /** True if there is a schema for the results of a tool. */
  knows(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Returns the problem of the structured content of a tool, if its schema is known.
   * @throws SessionError `invalid-answer` for content that cannot be checked, if such content is rejected.
   */
  problem(name: string, content: unknown): string | undefined | Promise<string | undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (content === undefined) return 'it has no structured content';
    entry.inspect ??= this.#load(entry);
    return entry.inspect instanceof Promise
      ? entry.inspect.then((inspect) => inspect(content))
      : entry.inspect(content);
  }

  // The interpreter loads with the first tool that needs it.
  async #load(entry: Entry): Promise<Inspect> {
    try {
      if (entry.schema === undefined) throw new Error(`it holds more than ${heaviest} values`);
      const { interpret } = await import('./output-interpreter.js');
      const patterns = new Set<string>();
      const inspect = interpret(entry.schema, (pattern) => patterns.add(pattern));
      if (patterns.size > 0) this.#warn(entry, [...patterns]);
      entry.inspect = this.#guarded(entry, inspect);
    } catch (reason) {
      entry.inspect = this.#unverified(entry, reason);
    }
    return entry.inspect;
  }

  #warn({ name }: Entry, patterns: readonly string[]): void {
    const shown = patterns.slice(0, 3).map((pattern) => JSON.stringify(pattern.slice(0, 80)));
    const more = patterns.length > shown.length ? ' and others' : '';
    const message =
      `Results of the tool "${name}" are checked by its output schema except for patterns that are not ` +
      `ECMAScript regular expressions with the flag "u": ${shown.join(', ')}${more}.`;
    this.#options.onError(new Error(message), 'outputSchema');
  }

  /** A check that took too long for one result is not started for another. */
  #guarded(entry: Entry, inspect: Inspect): Inspect {
    return (content) => {
      try {
        return inspect(content);
      } catch (reason) {
        const next = this.#unverified(entry, reason);
        // If unchecked results are rejected, smaller ones may still be checked.
        if (this.#options.unverified === 'accept') entry.inspect = next;
        return next(content);
      }
    };
  }

  #unverified({ name }: Entry, reason: unknown): Inspect {
    const why = (reason instanceof Error ? reason.message : String(reason)).slice(0, 300);
    if (this.#options.unverified === 'reject')
      return () => {
        throw new SessionError(
          'invalid-answer',
          `The result of the tool "${name}" cannot be checked by its output schema: ${why}. ` +
            'To accept results that are not checked, connect with unverifiedOutput: "accept".',
          { cause: reason },
        );
      };
    const message = `Results of the tool "${name}" are not checked by its output schema: ${why}.`;
    this.#options.onError(new Error(message, { cause: reason }), 'outputSchema');
    return () => undefined;
  }
}
