/** One request to one address, without redirects. */
export interface Hop {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface HopAnswer {
  readonly status: number;
  header(name: string): string | undefined;
  readonly text: string;
}

/** Makes one request. It rejects with an AuthError where it knows what is wrong. */
export type HopSender = (hop: Hop) => Promise<HopAnswer>;
