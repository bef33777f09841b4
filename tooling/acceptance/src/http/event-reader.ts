import type { Part } from './part.js';

/** Splits an event stream into events and comments. Keeps comments and events without data, which other readers drop. */
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

  /** @throws SyntaxError if a line is not valid in an event stream */
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
    if (name === '') throw new SyntaxError(`not a line of an event stream: ${line}`);
    if (name === 'data') data = data === undefined ? value : `${data}\n${value}`;
    else fields[name] = value;
  }
  if (data === undefined && Object.keys(fields).length === 0) return { kind: 'comment' };
  return { kind: 'event', ...fields, data: data ?? '' };
}
