import type { SchemaObject } from '@tenon/mcp-protocol';
import { findParamHeaders, type ParamHeader } from '@tenon/mcp-protocol/internal';

/**
 * Returns the parameters of a tool that HTTP headers repeat.
 *
 * @param inputSchema - the listed input schema of the tool.
 * @param owner - for error texts, for example `tool "forecast" input`.
 * @throws TypeError if an `x-mcp-header` annotation is invalid.
 */
export function readParamHeaders(inputSchema: SchemaObject, owner: string): readonly ParamHeader[] {
  const found = findParamHeaders(inputSchema);
  if (!found.ok) throw new TypeError(`${owner}: ${found.problem}`);
  return found.headers;
}
