import { AuthError } from '../auth-error.js';

/** The body of a response from `url`, and its bound. */
export interface ResponseBody {
  /** The bound, in bytes. */
  readonly bytes: number;
  readonly url: URL;
  /** The `content-length` of the response. */
  readonly length: string | undefined;
}

/**
 * Reads a body as UTF-8 text.
 * @throws AuthError `unreachable` if it has more bytes than the bound; the rest is not read.
 */
export async function boundedText(parts: AsyncIterable<Uint8Array>, bounds: ResponseBody): Promise<string> {
  const { bytes, url, length } = bounds;
  const tooLarge = () =>
    new AuthError('unreachable', `${url.origin} sent a response of more than ${bytes} bytes.`);
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
