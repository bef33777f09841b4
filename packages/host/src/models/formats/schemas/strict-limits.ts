import { subschemas } from '@tenon/json-schema/structure';
import { type Schema, typesOf } from './rewriting.js';
import { propertiesOf, requiredOf } from './united-objects.js';

/** The size of a strict schema, in the terms of the limits of providers. */
export interface StrictCosts {
  readonly optional: number;
  readonly unions: number;
  readonly properties: number;
  readonly levels: number;
  readonly values: number;
  readonly characters: number;
}

/** Returns the costs of a strict schema. */
export function strictCosts(root: Schema): StrictCosts {
  const costs = { optional: 0, unions: 0, properties: 0, levels: 0, values: 0, characters: 0 };
  const open: { readonly schema: Schema; readonly level: number }[] = [{ schema: root, level: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { schema } = next;
    const level = next.level + (typesOf(schema).includes('object') ? 1 : 0);
    const names = [...propertiesOf(schema).keys()];
    const values: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
    costs.optional += names.length - requiredOf(schema).length;
    costs.unions += schema.anyOf !== undefined || Array.isArray(schema.type) ? 1 : 0;
    costs.properties += names.length;
    costs.levels = Math.max(costs.levels, level);
    costs.values += values.length;
    for (const one of [...names, ...values, schema.const])
      if (typeof one === 'string') costs.characters += one.length;
    for (const { schema: inner } of subschemas(schema))
      if (typeof inner === 'object' && inner !== null) open.push({ schema: inner as Schema, level });
  }
  return costs;
}

/** The limits of one schema: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas. */
const openaiLimits = { properties: 5_000, levels: 10, values: 1_000, characters: 120_000 } as const;

/** Returns the reason why OpenAI would reject a strict schema; undefined if it is within the limits. */
export function openaiLimitProblem(costs: StrictCosts): string | undefined {
  const above = (Object.keys(openaiLimits) as (keyof typeof openaiLimits)[]).find(
    (name) => costs[name] > openaiLimits[name],
  );
  if (above === undefined) return undefined;
  const names = {
    properties: 'members',
    levels: 'levels of objects',
    values: 'values of `enum`',
    characters: 'characters of names and values',
  };
  return `it has ${costs[above]} ${names[above]}, and OpenAI allows ${openaiLimits[above]}`;
}

/**
 * The limits of all strict tools of one request to Anthropic:
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs, https://github.com/genkit-ai/genkit/issues/5230,
 * https://github.com/mozilla/bugbug/pull/6129. A request above them fails as a whole.
 */
const anthropicLimits = { tools: 20, optional: 24, unions: 16 } as const;

/** Admits strict tools of one request to Anthropic while all of them together are within the limits. */
export class AnthropicQuota {
  #tools = 0;
  #optional = 0;
  #unions = 0;

  /** Counts a tool and returns true if it is within the limits together with those before. */
  admits({ optional, unions }: StrictCosts): boolean {
    const isWithin =
      this.#tools < anthropicLimits.tools &&
      this.#optional + optional <= anthropicLimits.optional &&
      this.#unions + unions <= anthropicLimits.unions;
    if (!isWithin) return false;
    this.#tools += 1;
    this.#optional += optional;
    this.#unions += unions;
    return true;
  }
}
