/**
 * Bytes of a message that is sent in its notification: PostgreSQL accepts fewer than 8,000 bytes, of which the topic and the number
 * of the message need up to 530.
 */
const inlineBytes = 7_400;

/** Channels in which the topics of a schema are distributed. */
const channels = 256;

/** A message as it is notified: its text, or the id of the row with the text. */
export interface Notification {
  readonly topic: string;
  readonly text?: string | undefined;
  readonly id?: string | undefined;
}

/** True if a notification can contain a text. PostgreSQL has no NUL in texts. */
export function fitsInline(text: string, bytes: number): boolean {
  return bytes <= inlineBytes && !text.includes('\0');
}

/**
 * Returns the payload of a notification.
 * @param number - different for each message of a statement: PostgreSQL sends equal notifications once.
 */
export function payloadOf({ topic, text, id }: Notification, number: number): string {
  return `${number} ${topic} ${text === undefined ? `@${id}` : `=${text}`}`;
}

/** Returns the message of a payload; undefined if the payload is not one. */
export function notificationOf(payload: string): Notification | undefined {
  const { topic, kind, rest } = /^\d+ (?<topic>\S+) (?<kind>[@=])(?<rest>.*)$/s.exec(payload)?.groups ?? {};
  if (topic === undefined) return undefined;
  return kind === '=' ? { topic, text: rest } : { topic, id: rest };
}

/**
 * Returns the channel of a topic, quoted. A server process compares each notification with all channels that its client listens to,
 * so topics share a fixed number of channels.
 */
export function channelOf(schema: string, topic: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < topic.length; index++)
    hash = Math.imul(hash ^ topic.charCodeAt(index), 0x01000193);
  // The upper bits depend on every character.
  const bucket = (hash ^ (hash >>> 16)) & (channels - 1);
  return `${schema}_bus_${bucket.toString(16).padStart(2, '0')}`;
}
