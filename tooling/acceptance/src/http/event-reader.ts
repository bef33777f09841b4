import type { Part } from './part.js';

/**
 * Cuts an event stream into its events and comments, and keeps what other readers drop: comments, and events without
 * data.
 */
export class EventReader {
  readonly #take: (part: Part) => void;
  #rest = '';

  constructor(take: (part: Part) => void) {
    this.#take = take;
  }

  /** True between two events. */
  get isWhole(): boolean {
    return this.#rest === '';
  }

  /** @throws SyntaxError for what is no line of an event stream. */
  take(text: string): void {
    this.#rest += text;
    const blocks = this.#rest.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#take(partOf(block));
  }
}

function partOf(block: string): Part {
  const fields: Record<string, string> = {};
  let data: string | undefined;
  for (const line of block.split('\n')) {
    if (line.startsWith(':')) continue;
    const [, name = '', value = ''] = /^(id|event|retry|data): ?(.*)$/.exec(line) ?? [];
    if (name === '') throw new SyntaxError(`no line of an event stream: ${line}`);
    if (name === 'data') data = data === undefined ? value : `${data}\n${value}`;
    else fields[name] = value;
  }
  if (data === undefined && Object.keys(fields).length === 0) return { kind: 'comment' };
  return { kind: 'event', ...fields, data: data ?? '' };
}
