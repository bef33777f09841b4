import type { Revision } from '../codec/revision.js';
import type { UnknownObject } from '../json-rpc/json.js';
import type { TransportFacts } from '../ports/connection.js';
import { decodeHeaderValue, encodeHeaderValue } from './header-values.js';

/** The parts of a request that its HTTP headers repeat. */
export interface Mirrored {
  readonly method: string;
  readonly params: UnknownObject | undefined;
}

/** The facts of a transport with headers. */
export type Headed = TransportFacts & Required<Pick<TransportFacts, 'header'>>;

export function hasHeaders(facts: TransportFacts): facts is Headed {
  return facts.header !== undefined;
}

/**
 * Returns the headers that repeat a client's request, names in lower case; undefined if the revision has none.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
 */
export function mirroredHeaders(
  revision: Revision,
  { method, params }: Mirrored,
): Readonly<Record<string, string>> | undefined {
  if (!revision.rules.mirroredHeaders) return undefined;
  const named = revision.requests.client.get(method)?.named;
  const name = named === undefined ? undefined : params?.[named];
  return typeof name === 'string'
    ? { 'mcp-method': method, 'mcp-name': encodeHeaderValue(name) }
    : { 'mcp-method': method };
}

/** Returns the difference between a request and its headers; undefined if they agree, or if the revision has no such headers. */
export function mirrorProblem(
  revision: Revision,
  { method, params }: Mirrored,
  facts: Headed,
): string | undefined {
  if (!revision.rules.mirroredHeaders) return undefined;
  const stated = facts.header('mcp-method');
  if (stated === undefined) return 'The Mcp-Method header is required: it repeats the method.';
  if (stated !== method) return 'The Mcp-Method header and the method differ.';
  const named = revision.requests.client.get(method)?.named;
  const name = named === undefined ? undefined : params?.[named];
  if (typeof name !== 'string') return undefined;
  const value = facts.header('mcp-name');
  if (value === undefined) return `The Mcp-Name header is required: it repeats params.${named}.`;
  return decodeHeaderValue(value) === name ? undefined : `The Mcp-Name header and params.${named} differ.`;
}
