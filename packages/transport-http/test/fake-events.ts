/** One event of a stream, or a comment. */
export interface ServerEvent {
  readonly id?: string;
  readonly data?: string;
  readonly retry?: number;
  readonly comment?: true;
}

/** Splits the text of an event stream into events. Throws if an event is incomplete. */
export function readEvents(text: string): ServerEvent[] {
  if (text === '') return [];
  if (!text.endsWith('\n\n')) throw new Error(`The stream ends within an event: ${text.slice(-80)}`);
  return text.slice(0, -2).split('\n\n').map(readEvent);
}

function readEvent(block: string): ServerEvent {
  const event: { -readonly [K in keyof ServerEvent]: ServerEvent[K] } = {};
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]*):\s?(.*)$/.exec(line) ?? [];
    if (name === 'id' || name === 'data') event[name] = value;
    else if (name === 'retry') event.retry = Number(value);
    else if (line === ':') event.comment = true;
    else throw new Error(`This line does not belong to an event: ${line}`);
  }
  return event;
}
