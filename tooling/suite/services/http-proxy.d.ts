export interface HttpProxyOptions {
  /** `user:password`: other requests are answered with 407. */
  readonly credentials?: string;
  /** True to accept connections and never answer `CONNECT`. */
  readonly isSilent?: boolean;
}

/** A running proxy. */
export interface HttpProxy {
  readonly url: string;
  /** The requests, such as `CONNECT mcp.example:443`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

export function startHttpProxy(options?: HttpProxyOptions): Promise<HttpProxy>;
