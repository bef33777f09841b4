/** One event of an event stream. */
export interface StreamEvent {
  /** The event as it was sent, with the empty line at its end. */
  readonly text: string;
  readonly id: string | undefined;
  readonly event: string | undefined;
  /** Undefined for comments and events without data. */
  readonly data: string | undefined;
}

/** Characters of one event. */
const longestEvent = 32 * 1024 * 1024;

/** Splits the text of an event stream into events. */
export class EventSplitter {
  #rest = '';

  /**
   * Returns the events that are complete now.
   * @throws RangeError if an event is too long.
   */
  push(text: string): readonly StreamEvent[] {
    const parts = (this.#rest + text).split(/(?<=\r\n\r\n|\n\n|\r\r)/);
    const last = parts.at(-1) ?? '';
    this.#rest = /(?:\r\n\r\n|\n\n|\r\r)$/.test(last) ? '' : (parts.pop() ?? '');
    if (this.#rest.length > longestEvent) throw new RangeError('An event of the server is too long.');
    return parts.filter((part) => part !== '').map(eventOf);
  }
}

function eventOf(text: string): StreamEvent {
  let id: string | undefined;
  let event: string | undefined;
  const data: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [, name, value = ''] = /^([^:]+)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (name === 'id') id = value;
    else if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return { text, id, event, data: data.length === 0 ? undefined : data.join('\n') };
}
