import type { CarrierFacts } from './connection.js';
import { decodeHeaderValue, encodeHeaderValue } from './header-values.js';
import type { UnknownObject } from './json.js';
import type { Revision } from './revision.js';

/** What of a request its HTTP headers repeat. */
export interface Mirrored {
  readonly method: string;
  readonly params: UnknownObject | undefined;
}

/** Facts of a carrier that has headers. */
export type Headed = CarrierFacts & Required<Pick<CarrierFacts, 'header'>>;

/** Tells whether a carrier has headers. */
export function hasHeaders(facts: CarrierFacts): facts is Headed {
  return facts.header !== undefined;
}

/**
 * The headers that repeat a client's request, names in lower case; undefined where the revision has none.
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

/** Why the headers of a request do not repeat it; undefined when they do, and where the revision has none. */
export function mirrorFlaw(
  revision: Revision,
  { method, params }: Mirrored,
  facts: Headed,
): string | undefined {
  if (!revision.rules.mirroredHeaders) return undefined;
  const stated = facts.header('mcp-method');
  if (stated === undefined) return 'The Mcp-Method header is required.';
  if (stated !== method) return 'The Mcp-Method header and the method differ.';
  const named = revision.requests.client.get(method)?.named;
  const name = named === undefined ? undefined : params?.[named];
  if (typeof name !== 'string') return undefined;
  const value = facts.header('mcp-name');
  if (value === undefined) return `The Mcp-Name header is required: it repeats params.${named}.`;
  return decodeHeaderValue(value) === name ? undefined : `The Mcp-Name header and params.${named} differ.`;
}
