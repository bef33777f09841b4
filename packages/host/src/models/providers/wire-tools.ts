import type { JsonObject } from '@tenon/mcp-protocol';
import type { ModelTool } from '../model-tool.js';

/** Returns the definitions of tools in the wire format of an API. */
export function wireTools(
  format: 'openai' | 'anthropic',
  tools: readonly ModelTool[],
): readonly JsonObject[] {
  return tools.map(({ name, tool: { description, inputSchema } }) => {
    const described = { name, ...(description !== undefined && { description }) };
    const schema = inputSchema as JsonObject;
    return format === 'openai'
      ? { type: 'function', function: { ...described, parameters: schema } }
      : { ...described, input_schema: schema };
  });
}
