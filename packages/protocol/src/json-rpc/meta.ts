/** `_meta` keys of the protocol itself. */
export const MetaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** `_meta` keys of trace context, which need no prefix. */
export const traceKeys: readonly string[] = ['traceparent', 'tracestate', 'baggage'];

const label = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const keyPattern = new RegExp(
  `^(?:(${label}(?:\\.${label})*)/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`,
);
const longestKey = 256;

/** Returns the problem of a `_meta` key; undefined for a valid one. */
export function metaKeyProblem(key: string): string | undefined {
  if (key.length > longestKey) return `is longer than ${longestKey} characters`;
  return keyPattern.test(key)
    ? undefined
    : 'must be an optional dotted prefix ending in "/" and an alphanumeric name';
}

/** True if the prefix of a key is reserved for the protocol: its second label is `modelcontextprotocol` or `mcp`. */
export function isReservedMetaKey(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return false;
  const second = key.slice(0, slash).split('.')[1];
  return second === 'modelcontextprotocol' || second === 'mcp';
}

/** Returns the problem of an extension identifier, which is a `_meta` key with a prefix; undefined for a valid one. */
export function extensionIdProblem(identifier: string): string | undefined {
  return identifier.includes('/') ? metaKeyProblem(identifier) : 'needs a prefix, such as com.example/name';
}
