import type { Tool } from '@tenon/mcp-client';
import type { Catalog } from '../catalog/catalog.js';
import { defaultLintLimits, type LintPlace, type LintSeverity, toolPlace } from '../lint/rules/rule.js';
import { schemaPlaces } from '../lint/rules/schema-places.js';
import { findRule } from '../lint.js';
import type { SchemaCheck } from './known-client.js';

/** A tool with a schema that clients do not accept. */
interface SchemaProblem {
  readonly severity: LintSeverity;
  readonly place: LintPlace;
  readonly message: string;
}

/** The rules of lint that find what a check is about. */
const lintRules: Readonly<Partial<Record<SchemaCheck, string>>> = {
  'root-object': 'schema-root',
  'output-root-object': 'output-schema-root',
  'root-combination': 'schema-root-combination',
  'array-items': 'schema-array-items',
  'property-names': 'parameter-name',
};

/** Returns the tools with schemas that a check is about: the first problem of each. */
export function checkSchemas(check: SchemaCheck, catalog: Catalog): readonly SchemaProblem[] {
  const rule = findRule(lintRules[check] ?? '');
  if (rule === undefined) return catalog.tools.flatMap((tool) => own[check]?.(tool) ?? []);
  const found = new Map<string, SchemaProblem>();
  for (const { place, message } of rule.check({ catalog }, defaultLintLimits))
    if (!found.has(place.name)) found.set(place.name, { severity: 'error', place, message });
  return [...found.values()];
}

const own: Partial<Record<SchemaCheck, (tool: Tool) => readonly SchemaProblem[]>> = {
  'open-objects': (tool) => {
    const isOpen = schemaPlaces(tool.inputSchema).places.some(
      ({ schema }) => schema.type === 'object' && schema.additionalProperties !== false,
    );
    if (!isOpen) return [];
    const message =
      'With models of OpenAI the strict mode rejects objects without "additionalProperties": false. Add it to each object.';
    return [{ severity: 'info', place: toolPlace(tool), message }];
  },
  'property-name-schemas': (tool) => {
    const { places } = schemaPlaces(tool.inputSchema);
    if (places.every(({ schema }) => schema.propertyNames === undefined)) return [];
    const message =
      'Requests to the model may fail because of "propertyNames", which records have. Leave it out.';
    return [{ severity: 'warning', place: toolPlace(tool), message }];
  },
};
