import type { SchemaObject } from '@tenon/mcp-protocol';
import { findParamHeaders, type ParamHeader } from '@tenon/mcp-protocol/internal';

/**
 * The parameters a tool mirrors into HTTP headers.
 *
 * @param inputSchema - the tool's input schema as it is listed.
 * @param owner - for error texts, for example `tool "forecast" input`.
 * @throws TypeError when an `x-mcp-header` annotation breaks the rules.
 */
export function readParamHeaders(inputSchema: SchemaObject, owner: string): readonly ParamHeader[] {
  const found = findParamHeaders(inputSchema);
  if (!found.ok) throw new TypeError(`${owner}: ${found.flaw}`);
  return found.headers;
}
