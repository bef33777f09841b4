import { count, echo, manyNames, plan, zodSchemas } from '../matrix/tools.js';

/**
 * What a server is asked to be.
 *
 * @typedef {object} Served
 * @property {import('../matrix/wires.js').Lifecycle} lifecycle
 * @property {'few' | 'many'} catalogue
 * @property {'call' | 'list' | 'payload' | 'progress'} [workload] the one kind of request it will get, where that is known
 *
 * How a tool is run: `report` sends one progress message, and what it returns is waited for.
 *
 * @typedef {object} OfferedTool
 * @property {string} name
 * @property {string} description
 * @property {any} schema of its arguments
 * @property {((input: any) => string) | undefined} run undefined for the one that counts
 *
 * @typedef {{ progress: number, total: number }} Step
 */

/**
 * The tools of a catalogue, with JSON Schema or zod.
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
 * Counts, and waits for each report where there is something to wait for.
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
 * Whether a server that has to choose may be set to answer with JSON alone. In a session it may be asked to count, which needs
 * a stream, unless it is known what it will be asked.
 *
 * @param {Served} served
 */
export function mayAnswerWholly({ lifecycle, workload }) {
  return workload === undefined ? lifecycle !== 'session' : workload !== 'progress';
}
