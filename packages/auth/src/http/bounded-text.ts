import { AuthError } from '../auth-error.js';

/** How much is read, and of whom. */
export interface AnswerBody {
  readonly bytes: number;
  readonly url: URL;
  /** What the answer says its length is. */
  readonly length: string | undefined;
}

/**
 * Reads a body as UTF-8.
 * @throws AuthError `unreachable` when it is larger than it may be; the rest is not read then.
 */
export async function boundedText(parts: AsyncIterable<Uint8Array>, bounds: AnswerBody): Promise<string> {
  const { bytes, url, length } = bounds;
  const tooLarge = () =>
    new AuthError('unreachable', `${url.origin} answered with more than the ${bytes} bytes there may be.`);
  if (Number(length) > bytes) throw tooLarge();
  const decoder = new TextDecoder();
  let text = '';
  let total = 0;
  for await (const part of parts) {
    total += part.length;
    if (total > bytes) throw tooLarge();
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}
