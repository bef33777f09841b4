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

/** The revision a request states of itself; undefined in a session. */
export function statedRevision(frame: unknown): string | undefined {
  const stated = asFrame(frame).params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  return typeof stated === 'string' ? stated : undefined;
}

/**
 * Headers of a stateless request, written from the page of the specification rather than by the code under test.
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

/** Any parsed value, looked at as a message. */
export function asFrame(value: unknown): Frame {
  return typeof value === 'object' && value !== null ? (value as Frame) : {};
}

/** Tells whether a value wants an answer: a request, a list with one, or an empty list, which is a mistake. */
export function isAsking(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(isAsking);
  return asFrame(value).method !== undefined && asFrame(value).id !== undefined;
}
