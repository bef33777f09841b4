import { createParser } from 'eventsource-parser';

/** Thrown if the connection fails within a response. The cause is its error. */
export class BrokenResponse extends Error {}

/** Thrown for a response beyond {@link mostReplyBytes}. */
export class ReplyTooLarge extends Error {}

/** Yields the bytes of a response. Cancels the rest if the caller stops. @throws BrokenResponse */
export async function* bytesOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new BrokenResponse('The connection failed.', { cause });
      });
      if (done) return;
      yield value;
    }
  } finally {
    // A body that broke rejects here as well.
    await reader.cancel().catch(() => {});
  }
}

/** Bytes of one response, of which replies of models are far below. */
export const mostReplyBytes = 16_777_216;
const mostEventChars = 4_194_304;

/** Yields the text of a response. @throws ReplyTooLarge */
export async function* textParts(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let size = 0;
  for await (const bytes of bytesOf(response)) {
    size += bytes.byteLength;
    if (size > mostReplyBytes) throw new ReplyTooLarge();
    yield decoder.decode(bytes, { stream: true });
  }
}

/** Yields the data of server-sent events. @throws ReplyTooLarge */
export async function* eventsOf(response: Response): AsyncGenerator<string> {
  let ready: string[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: mostEventChars,
    onEvent: ({ data }) => ready.push(data),
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  for await (const text of textParts(response)) {
    parser.feed(text);
    if (isTooLong) throw new ReplyTooLarge();
    yield* ready;
    ready = [];
  }
}
