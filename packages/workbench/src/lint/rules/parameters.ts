import { isObject } from '@tenon/json-schema/structure';
import { latestStateless } from '@tenon/mcp-protocol';
import { findParamHeaders } from '@tenon/mcp-protocol/internal';
import { type LintRule, pointerPart, quoted, rulesOf, toolPlace, toolRule } from './rule.js';
import { schemaPlaces } from './schema-places.js';

const parameterRule = rulesOf(({ catalog }) =>
  catalog.tools.flatMap((tool) =>
    membersOf(tool.inputSchema.properties).map(([parameter, schema]) => ({
      ...{ place: toolPlace(tool), at: `/inputSchema/properties${pointerPart(parameter)}` },
      ...{ parameter, schema },
    })),
  ),
);

const description = parameterRule({
  id: 'parameter-description',
  severity: 'warning',
  about: 'Parameters of tools have a description.',
  pointer: '/description',
  problem({ parameter, schema }) {
    if (!isObject(schema) || schema.$ref !== undefined) return undefined;
    if (typeof schema.description === 'string' && schema.description.trim() !== '') return undefined;
    return `The parameter ${quoted(parameter)} has no description. Say what it means, with its unit or format.`;
  },
});

/** Makes a rule about the name of each parameter, and of the members of parameters. */
const nameRule = rulesOf(({ catalog }) =>
  catalog.tools.flatMap((tool) =>
    schemaPlaces(tool.inputSchema)
      .places.filter(({ isProperty }) => isProperty)
      .flatMap(({ schema, pointer }) =>
        membersOf(schema.properties).map(([key]) => ({
          ...{ place: toolPlace(tool), at: `/inputSchema${pointer}/properties${pointerPart(key)}`, key },
        })),
      ),
  ),
);

const name = nameRule({
  id: 'parameter-name',
  severity: 'error',
  about: 'Names of parameters have 1 to 64 of the letters A to Z, digits, "_", "." and "-".',
  problem({ key }) {
    if (/^[A-Za-z0-9_.-]{1,64}$/.test(key)) return undefined;
    return `The Anthropic API rejects all tools of a request because of the name ${quoted(key)}. Use 1 to 64 letters A to Z, digits, "_", "." and "-".`;
  },
});

const typeKeywords = ['type', 'enum', 'const', '$ref', '$dynamicRef', 'anyOf', 'oneOf', 'allOf'];

const type = parameterRule({
  id: 'parameter-type',
  severity: 'warning',
  about: 'Parameters of tools have a type.',
  problem({ parameter, schema }) {
    if (schema !== true && (!isObject(schema) || typeKeywords.some((keyword) => keyword in schema)))
      return undefined;
    return `The parameter ${quoted(parameter)} has no "type", so models guess. Add one.`;
  },
});

const required: LintRule = {
  id: 'parameter-required',
  severity: 'error',
  about: 'Required parameters are defined in "properties".',
  *check({ catalog }) {
    for (const tool of catalog.tools) {
      const { required: names, properties } = tool.inputSchema;
      if (!Array.isArray(names)) continue;
      const known = new Set(membersOf(properties).map(([key]) => key));
      for (const [index, key] of names.entries()) {
        if (typeof key !== 'string' || known.has(key)) continue;
        yield {
          place: toolPlace(tool),
          pointer: `/inputSchema/required/${index}`,
          message: `The parameter ${quoted(key)} is required but not in "properties". Define it.`,
        };
      }
    }
  },
};

const headers = toolRule({
  id: 'header-annotation',
  severity: 'error',
  about: `Annotations "x-mcp-header" are valid: clients of ${latestStateless.id} leave out a tool with a wrong one.`,
  pointer: '/inputSchema',
  problem({ tool }) {
    const found = findParamHeaders(tool.inputSchema);
    if (found.ok || !hasHeaders(tool.inputSchema)) return undefined;
    return `Clients leave the tool out: ${found.problem}.`;
  },
});

function hasHeaders(schema: unknown): boolean {
  return schemaPlaces(schema).places.some((place) => Object.hasOwn(place.schema, 'x-mcp-header'));
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}

/** Rules about the parameters of tools. */
export const parameterRules: readonly LintRule[] = [description, name, type, required, headers];
