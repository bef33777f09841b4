import type { Server } from '@tenon/mcp-server';
import { z } from 'zod';

/** Must be listed with its definitions, anchors and conditions. It is JSON text because an object with the keyword `then` looks like a promise. */
const contactSchema: Record<string, unknown> = JSON.parse(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {
    "address": {
      "$anchor": "addressDef",
      "type": "object",
      "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
    }
  },
  "properties": {
    "name": { "type": "string" },
    "address": { "$ref": "#/$defs/address" },
    "contactMethod": { "type": "string", "enum": ["phone", "email"] },
    "phone": { "type": "string" },
    "email": { "type": "string" }
  },
  "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
  "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
  "then": { "required": ["phone"] },
  "else": { "required": ["email"] },
  "additionalProperties": false
}`);

/** Tools with input and output schemas. */
export function addSchemaTools(server: Server): void {
  server.tool(
    'json_schema_2020_12_tool',
    {
      description: 'Tool with JSON Schema 2020-12 features',
      input: contactSchema,
    },
    (contact) => `Contact: ${JSON.stringify(contact)}`,
  );

  server.tool(
    'test_x_mcp_header',
    {
      description: 'Has a parameter that HTTP clients mirror into a header',
      input: {
        type: 'object',
        properties: {
          region: { type: 'string', description: 'Where to run', 'x-mcp-header': 'Region' },
          level: { type: 'integer', description: 'How thoroughly' },
        },
      },
    },
    ({ region = 'anywhere', level = 1 }) => `Ran in ${region} at level ${level}`,
  );

  server.tool(
    'test_structured_content',
    {
      description: 'Adds two numbers and returns structured output',
      input: z.object({ a: z.number(), b: z.number() }),
      output: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ a, b }) => ({ sum: a + b }),
  );
}
