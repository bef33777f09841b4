import type { ToolAnnotations } from '@tenon/mcp-server';
import type { FoundOperation } from '../document/operations.js';
import { lineOf } from '../document/texts.js';
import type { ParameterPlan } from '../request/request.js';

/** The most characters of a tool's description: the limit of `tenon lint`. */
const descriptionLength = 1_000;

/** Query parameters that name a page, and that set the size of one. */
const pageNames =
  /^(?:page|page_?(?:number|token)|cursor|offset|after|before|start|starting_after|ending_before|next(?:_?(?:page_?)?(?:token|cursor))?|continue|marker|skip|since_?id|pagination_?token)$/i;
const sizeNames = /^(?:limit|per_?page|page_?(?:size|limit)|size|count|max_?results|first|top|take)$/i;

/** Returns the description of a tool for the model. */
export function descriptionOf(
  { method, path, operation, deprecated }: FoundOperation,
  parameters: readonly ParameterPlan[],
): string {
  const { summary, description } = operation;
  const [short, long] = [lineOf(summary, 200), lineOf(description, descriptionLength)];
  const repeats =
    short !== undefined && long?.toLowerCase().startsWith(short.replace(/\.$/, '').toLowerCase());
  const texts = [
    deprecated ? 'Deprecated.' : undefined,
    repeats ? undefined : withPeriod(short),
    withPeriod(long),
    short === undefined && long === undefined ? lineOf(`${method} ${path}`, 300) : undefined,
  ];
  const told = lineOf(texts.filter((text) => text !== undefined).join(' '), descriptionLength) ?? '';
  const paging = pagingOf(parameters);
  return paging === undefined ? told : `${told} ${paging}`;
}

function withPeriod(text: string | undefined): string | undefined {
  return text === undefined || /[.!?:;]$/.test(text) ? text : `${text}.`;
}

function pagingOf(parameters: readonly ParameterPlan[]): string | undefined {
  const query = parameters.filter((one) => one.in === 'query');
  const page = query.find(({ name }) => pageNames.test(name));
  if (page === undefined) return undefined;
  const size = query.find(({ name }) => sizeNames.test(name));
  const sizes = size === undefined ? '' : `, and \`${size.argument}\` sets the size of a page`;
  return `Results come in pages: \`${page.argument}\` selects one${sizes}.`;
}

/** Returns the annotations that follow from the method. A POST may do anything, so it counts as destructive. */
export function annotationsOf(method: string): ToolAnnotations {
  const readOnlyHint = method === 'GET' || method === 'QUERY';
  if (readOnlyHint) return { readOnlyHint, openWorldHint: true };
  const idempotentHint = method === 'PUT' || method === 'DELETE';
  return { readOnlyHint, destructiveHint: true, idempotentHint, openWorldHint: true };
}
