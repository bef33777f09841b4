import { count, echo, manyNames, plan, zodSchemas } from '../../matrix/tools.js';

/**
 * The settings of a measured server.
 *
 * @typedef {object} Served
 * @property {import('../../matrix/wires.js').Lifecycle} lifecycle
 * @property {'few' | 'many'} catalogue
 * @property {'call' | 'list' | 'payload' | 'progress'} [workload] the only kind of request that it will get, if known
 * @property {string} [state] `memory`, or the URL of the Redis that shares its state with other processes
 *
 * The body of a tool. `report` sends one progress message; its return value is awaited.
 *
 * @typedef {object} OfferedTool
 * @property {string} name
 * @property {string} description
 * @property {unknown} schema of its arguments
 * @property {((input: never) => string) | undefined} run undefined for the counting tool
 *
 * @typedef {{ progress: number, total: number }} Step
 */

/**
 * Returns the tools of a catalogue, with JSON Schema or zod.
 *
 * @param {Served['catalogue']} catalogue
 * @param {{ plan: unknown, echo: unknown, count: unknown }} schemas
 * @returns {OfferedTool[]}
 */
export function offeredTools(catalogue, schemas) {
  const { description, run } = plan;
  if (catalogue === 'many')
    return manyNames.map((name) => ({ name, description, schema: schemas.plan, run }));
  return [
    { name: plan.name, description, schema: schemas.plan, run },
    { name: echo.name, description: echo.description, schema: schemas.echo, run: echo.run },
    { name: count.name, description: count.description, schema: schemas.count, run: undefined },
  ];
}

/** @param {Served['catalogue']} catalogue */
export async function offeredZodTools(catalogue) {
  return offeredTools(catalogue, await zodSchemas());
}

export const jsonSchemas = { plan: plan.inputSchema, echo: echo.inputSchema, count: count.inputSchema };

/**
 * Counts, and awaits each report that returns a promise.
 *
 * @param {number} to
 * @param {(step: Step) => unknown} report
 */
export async function countTo(to, report) {
  for (let progress = 1; progress <= to; progress++) {
    const sent = report({ progress, total: to });
    if (sent !== undefined) await sent;
  }
  return count.done({ to });
}

/**
 * @param {string} text
 * @returns {{ content: { type: 'text', text: string }[] }}
 */
export function said(text) {
  return { content: [{ type: 'text', text }] };
}

/**
 * True if a server may be set to answer only with JSON. A call in a session may count, which needs a stream, unless the
 * workload is known.
 *
 * @param {Served} served
 */
export function mayAnswerWholly({ lifecycle, workload }) {
  return workload === undefined ? lifecycle !== 'session' : workload !== 'progress';
}
