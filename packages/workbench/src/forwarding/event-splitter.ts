/** One event of an event stream. */
export interface StreamEvent {
  /** The event as it was sent, with the empty line at its end. */
  readonly bytes: Buffer;
  readonly id: string | undefined;
  readonly event: string | undefined;
  /** Undefined for comments and events without data. */
  readonly data: string | undefined;
}

/** Splits an event stream into events. */
export class EventSplitter {
  readonly #mostBytes: number;
  /** The incomplete event, one character for each byte. */
  #parts: string[] = [];
  /** Its last characters: an empty line may begin in them. */
  #tail = '';
  #size = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /**
   * Returns the events that are complete now.
   * @throws RangeError if an event is too long.
   */
  push(bytes: Buffer): readonly StreamEvent[] {
    const text = bytes.toString('latin1');
    const end = this.#tail + text;
    this.#parts.push(text);
    this.#size += text.length;
    if (this.#size > this.#mostBytes) throw new RangeError('An event of the server is too long.');
    this.#tail = end.slice(-3);
    if (!/\r\n\r\n|\n\n|\r\r/.test(end)) return [];
    const events = this.#parts.join('').split(/(?<=\r\n\r\n|\n\n|\r\r)/);
    const rest = /(?:\r\n\r\n|\n\n|\r\r)$/.test(events.at(-1) ?? '') ? '' : (events.pop() ?? '');
    this.#keep(rest);
    return events.map(eventOf);
  }

  /** Returns the bytes of the incomplete event, and forgets them. */
  end(): Buffer {
    const rest = this.#parts.join('');
    this.#keep('');
    return Buffer.from(rest, 'latin1');
  }

  #keep(rest: string): void {
    this.#parts = [rest];
    this.#tail = rest.slice(-3);
    this.#size = rest.length;
  }
}

function eventOf(text: string): StreamEvent {
  const bytes = Buffer.from(text, 'latin1');
  let id: string | undefined;
  let event: string | undefined;
  const data: string[] = [];
  for (const line of bytes.toString().split(/\r\n|\n|\r/)) {
    const [, name, value = ''] = /^\uFEFF?([^:]+)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (name === 'id') id = value;
    else if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return { bytes, id, event, data: data.length === 0 ? undefined : data.join('\n') };
}
