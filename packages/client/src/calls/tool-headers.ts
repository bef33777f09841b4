import type { Tool, UnknownObject } from '@tenon/mcp-protocol';
import {
  findParamHeaders,
  isObject,
  type ParamHeader,
  paramHeaderValues,
} from '@tenon/mcp-protocol/internal';
import { heaviestTogether, ToolStore, weigh } from './tool-store.js';

/** The headers that calls of listed tools need over HTTP. */
export class ToolHeaders {
  readonly #known: ToolStore<readonly ParamHeader[]>;
  readonly #onError: (error: unknown, where: string) => void;

  /**
   * @param limit - stored tools; the oldest is dropped.
   * @param onError - receives tools that cannot be called.
   */
  constructor(limit: number, onError: (error: unknown, where: string) => void) {
    this.#known = new ToolStore(limit);
    this.#onError = onError;
  }

  /** Stores the tools of a page. Returns those with valid annotations; the others must not be used. */
  sift(tools: readonly Tool[]): readonly Tool[] {
    const sound = tools.filter((tool) => this.#note(tool));
    return sound.length === tools.length ? tools : sound;
  }

  /**
   * Returns the headers of one call; undefined for a tool without headers.
   * @throws RangeError for an integer that some readers of the header would read as another number.
   */
  of({ name, arguments: args }: UnknownObject): Readonly<Record<string, string>> | undefined {
    const headers = this.#known.get(name as string);
    if (headers === undefined) return undefined;
    const values = paramHeaderValues(headers, isObject(args) ? args : undefined);
    const unsafe = headers.find(({ header, type }) => type === 'integer' && isUnsafe(values[header]));
    if (unsafe === undefined) return values;
    throw new RangeError(
      `The tool "${name}" repeats ${unsafe.path.join('.')} in a header: it must be from -(2^53 - 1) to 2^53 - 1.`,
    );
  }

  /** Drops all: the server's tools have changed. */
  forget(): void {
    this.#known.clear();
  }

  #note({ name, inputSchema }: Tool): boolean {
    this.#known.delete(name);
    const found = findParamHeaders(inputSchema);
    if (!found.ok) {
      this.#onError(
        new Error(`The tool "${name.slice(0, 128)}" is left out: ${found.problem}.`),
        'x-mcp-header',
      );
      return false;
    }
    if (found.headers.length > 0)
      this.#known.set(name, found.headers, weigh(found.headers, heaviestTogether));
    return true;
  }
}

function isUnsafe(text: string | undefined): boolean {
  return text !== undefined && Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER;
}
