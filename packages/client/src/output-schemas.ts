import type { SchemaObject, Tool } from '@tenon/mcp-protocol';
import type { Inspect } from './output-interpreter.js';

interface Entry {
  readonly schema: SchemaObject;
  inspect: Inspect | Promise<Inspect> | undefined;
}

/** The output schemas of the tools a client has listed. Schemas come from a peer: they are interpreted, never compiled. */
export class OutputSchemas {
  readonly #entries = new Map<string, Entry>();
  readonly #limit: number;
  readonly #onError: (error: unknown, where: string) => void;

  /**
   * @param limit - schemas kept; the oldest is dropped.
   * @param onError - hears of schemas that are refused; results are not checked by them.
   */
  constructor(limit: number, onError: (error: unknown, where: string) => void) {
    this.#limit = limit;
    this.#onError = onError;
  }

  /** Notes the tools of a page. */
  remember(tools: readonly Tool[]): void {
    for (const { name, outputSchema } of tools) {
      this.#entries.delete(name);
      if (outputSchema !== undefined) this.#entries.set(name, { schema: outputSchema, inspect: undefined });
    }
    for (const name of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) return;
      this.#entries.delete(name);
    }
  }

  /** Forgets all: the server's tools have changed. */
  forget(): void {
    this.#entries.clear();
  }

  /** True when there is a schema for the results of a tool. */
  knows(name: string): boolean {
    return this.#entries.has(name);
  }

  /** What is wrong with the structured content of a tool, if its schema is known and was not refused. */
  flaw(name: string, content: unknown): string | undefined | Promise<string | undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (content === undefined) return 'it has no structured content';
    entry.inspect ??= this.#load(name, entry);
    return entry.inspect instanceof Promise
      ? entry.inspect.then((inspect) => inspect(content))
      : entry.inspect(content);
  }

  // The interpreter is loaded by the first tool that needs it.
  async #load(name: string, entry: Entry): Promise<Inspect> {
    let inspect = accept;
    try {
      const { interpret } = await import('./output-interpreter.js');
      inspect = interpret(entry.schema);
    } catch (reason) {
      this.#onError(refusal(name, reason), 'outputSchema');
    }
    entry.inspect = (content) => {
      try {
        return inspect(content);
      } catch (reason) {
        entry.inspect = accept;
        this.#onError(refusal(name, reason), 'outputSchema');
        return undefined;
      }
    };
    return entry.inspect;
  }
}

const accept: Inspect = () => undefined;

function refusal(name: string, reason: unknown): Error {
  const why = reason instanceof Error ? reason.message : String(reason);
  const message = `Results of the tool "${name}" are not checked by its output schema: ${why.slice(0, 300)}.`;
  return new Error(message, { cause: reason });
}
