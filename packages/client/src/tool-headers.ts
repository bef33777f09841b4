import type { Tool, UnknownObject } from '@tenon/mcp-protocol';
import {
  findParamHeaders,
  isObject,
  type ParamHeader,
  paramHeaderValues,
} from '@tenon/mcp-protocol/internal';

/** The headers that calls of the tools a client has listed must carry over HTTP. */
export class ToolHeaders {
  readonly #known = new Map<string, readonly ParamHeader[]>();
  readonly #limit: number;
  readonly #onError: (error: unknown, where: string) => void;

  /**
   * @param limit - tools kept; the oldest is dropped.
   * @param onError - hears of tools that cannot be called.
   */
  constructor(limit: number, onError: (error: unknown, where: string) => void) {
    this.#limit = limit;
    this.#onError = onError;
  }

  /** Notes the tools of a page. Returns those whose annotations make sense; the others must not be used. */
  sift(tools: readonly Tool[]): readonly Tool[] {
    const sound = tools.filter((tool) => this.#note(tool));
    for (const name of this.#known.keys()) {
      if (this.#known.size <= this.#limit) break;
      this.#known.delete(name);
    }
    return sound.length === tools.length ? tools : sound;
  }

  /**
   * The headers of one call; undefined for a tool that has none, as far as is known.
   * @throws RangeError for an integer that not every reader of the header takes for the same.
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

  /** Forgets all: the server's tools have changed. */
  forget(): void {
    this.#known.clear();
  }

  #note({ name, inputSchema }: Tool): boolean {
    this.#known.delete(name);
    const found = findParamHeaders(inputSchema);
    if (!found.ok) {
      this.#onError(
        new Error(`The tool "${name.slice(0, 128)}" is left out: ${found.flaw}.`),
        'x-mcp-header',
      );
      return false;
    }
    if (found.headers.length > 0) this.#known.set(name, found.headers);
    return true;
  }
}

function isUnsafe(text: string | undefined): boolean {
  return text !== undefined && Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER;
}
