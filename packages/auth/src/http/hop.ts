/** One request, without the redirects that may follow. */
export interface Hop {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** The response to a {@link Hop}. */
export interface HopResponse {
  readonly status: number;
  header(name: string): string | undefined;
  readonly text: string;
}

/** Sends one request. Rejects with an AuthError where the cause is known. */
export type HopSender = (hop: Hop) => Promise<HopResponse>;
