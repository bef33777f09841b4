import { AuthError } from '../auth-error.js';

/** One request, without the redirects that may follow. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/** The response to a {@link Hop}. */
export interface HopResponse {
  readonly status: number;
  header(name: string): string | undefined;
  readonly bytes: Uint8Array;
}

/** Sends one request. Rejects with an AuthError where the cause is known. */
export type HopSender = (hop: Hop) => Promise<HopResponse>;

/** The bound of a body. */
export interface BodyBound {
  readonly bytes: number;
  /** The `content-length`, if it is known. */
  readonly length?: string | undefined;
  /** Returns the error of a larger body. */
  readonly tooLarge: () => Error;
}

/** Reads a body. @throws the error of the bound if it has more bytes; the rest is not read. */
export async function boundedBody(
  parts: AsyncIterable<Uint8Array>,
  { bytes, length, tooLarge }: BodyBound,
): Promise<Uint8Array> {
  if (Number(length) > bytes) throw tooLarge();
  const read: Uint8Array[] = [];
  let total = 0;
  for await (const part of parts) {
    total += part.length;
    if (total > bytes) throw tooLarge();
    read.push(part);
  }
  const body = new Uint8Array(total);
  let at = 0;
  for (const part of read) {
    body.set(part, at);
    at += part.length;
  }
  return body;
}

/** Reads the body of a response in parts. */
export async function* partsOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  let over = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      over = done;
      if (done) return;
      yield value;
    }
  } finally {
    // The caller stopped reading.
    if (!over) await reader.cancel();
  }
}

/** Returns the error of a response that is too large. */
export function tooLargeAt({ origin }: URL, bytes: number): AuthError {
  return new AuthError('unreachable', `${origin} sent a response of more than ${bytes} bytes.`);
}

/**
 * Returns the error for a failed request: an AuthError unchanged, others as `unreachable` with their code.
 * @param proxy - the origin of the proxy that the request was sent to.
 */
export function requestFailure(error: unknown, url: URL, proxy?: string): AuthError {
  if (error instanceof AuthError) return error;
  const refusal = /^Proxy response \((\d+)\)/.exec(error instanceof Error ? error.message : '')?.[1];
  const code = refusal === undefined ? codeOf(error, 4) : `the proxy answered HTTP ${refusal}`;
  const way = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  const message = `${url.origin} cannot be reached${way}${code === undefined ? '' : ` (${code})`}.`;
  return new AuthError('unreachable', message, holdsAnswer(error, 4) ? {} : { cause: error });
}

/** Returns the code of the error, or of its cause. */
function codeOf(error: unknown, depth: number): string | undefined {
  if (!(error instanceof Error) || depth === 0) return undefined;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return code;
  return codeOf(error.cause, depth - 1);
}

/** True if the error contains a part of the response, as errors of the HTTP parser do: it may be a secret. */
function holdsAnswer(error: unknown, depth: number): boolean {
  if (!(error instanceof Error) || depth === 0) return false;
  return 'data' in error || holdsAnswer(error.cause, depth - 1);
}
