import type { Tool } from '@tenon/mcp-client';
import type { Catalog } from '../src/catalog/catalog.js';
import type { LintSubject, ListMethod, ListReading } from '../src/lint/rules/subject.js';

/** A tool without findings. */
export const goodTool: Tool = {
  name: 'get_forecast',
  title: 'Forecast',
  description: 'Returns the weather forecast of a city for the next days.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city, such as Oslo.' } },
    required: ['city'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
};

/** Returns a tool without findings but for the given members. */
export function tool(members: Partial<Tool> = {}): Tool {
  return { ...goodTool, ...members };
}

/** Returns a tool with one parameter. */
export function toolWith(parameter: unknown, name = 'city'): Tool {
  return tool({
    inputSchema: { type: 'object', properties: { [name]: parameter }, additionalProperties: false },
  });
}

/** Returns what rules look at: a server without findings but for the given parts. */
export function subject({
  lists,
  calls,
  deviations,
  hasCredentials,
  ...parts
}: Partial<Catalog> & Partial<Omit<LintSubject, 'catalog'>> = {}): LintSubject {
  return {
    catalog: {
      revision: '2026-07-28',
      server: {
        name: 'weather',
        title: 'Weather',
        version: '1.2.3',
        icons: [{ src: 'https://example.com/icon.png' }],
      },
      capabilities: { tools: {} },
      instructions: undefined,
      tools: [],
      resources: [],
      resourceTemplates: [],
      prompts: [],
      ...parts,
    },
    ...(lists !== undefined && { lists }),
    ...(calls !== undefined && { calls }),
    ...(deviations !== undefined && { deviations }),
    ...(hasCredentials !== undefined && { hasCredentials }),
  };
}

/** Returns a subject with two readings of a list. */
export function read(
  method: ListMethod,
  first: Partial<ListReading>,
  second: Partial<ListReading> = first,
): LintSubject {
  return subject({ lists: { [method]: { first: reading(first), second: reading(second) } } });
}

function reading(members: Partial<ListReading>): ListReading {
  return {
    entries: [goodTool],
    pages: 1,
    ttlMs: 60_000,
    cacheScope: 'private',
    repeatsCursor: false,
    hasEmptyPage: false,
    ...members,
  };
}
