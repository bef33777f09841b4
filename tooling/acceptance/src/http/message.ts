interface Frame {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> } & Readonly<
    Record<string, unknown>
  >;
}

/** Headers of every POST. */
export const postHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** Returns the revision a request declares; undefined in a session. */
export function statedRevision(frame: unknown): string | undefined {
  const stated = asFrame(frame).params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  return typeof stated === 'string' ? stated : undefined;
}

/**
 * Returns the headers of a stateless request, written from the specification, independent of the code under test.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
 */
export function standardHeaders(frame: unknown): Readonly<Record<string, string>> {
  const { method = '', params } = asFrame(frame);
  const named = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }[method];
  const name = named === undefined ? undefined : params?.[named];
  return {
    'mcp-protocol-version': statedRevision(frame) ?? '',
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
}

/** Returns a parsed value typed as a message. */
export function asFrame(value: unknown): Frame {
  return typeof value === 'object' && value !== null ? (value as Frame) : {};
}

/** True if a value needs a response: a request, a batch with a request, or an empty batch, which is an error. */
export function isAsking(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(isAsking);
  return asFrame(value).method !== undefined && asFrame(value).id !== undefined;
}
