import { manyTools, serverInfo, steps } from '../runs/wire.js';

/** @typedef {import('../runs/runs.js').Run} Run */

const planSchema = /** @type {const} */ ({
  type: 'object',
  properties: { city: { type: 'string', minLength: 1 }, days: { type: 'integer', minimum: 1, maximum: 7 } },
  required: ['city', 'days'],
  additionalProperties: false,
});

const countSchema = /** @type {const} */ ({
  type: 'object',
  properties: { to: { type: 'integer', minimum: 1 } },
  required: ['to'],
  additionalProperties: false,
});

/**
 * Returns the server of a run, with its validators compiled.
 *
 * @param {Pick<Run, 'workload' | 'schema' | 'answers'>} run
 */
export async function serverOf({ workload, schema, answers }) {
  const [{ otherBounds }, { createServer }] = await Promise.all([
    import('@tenon/foundation'),
    import('@tenon/mcp-server'),
  ]);
  const server = createServer(serverInfo, {
    limits: { pageSize: manyTools, ...otherBounds({ progressPerSecond: 1_000_000 }) },
    rates: { calls: { perSecond: 1_000_000 } },
    ...(workload === 'keyed' && (await keyedOptions())),
  });
  const input = /** @type {any} */ (schema === 'zod' ? await zodSchema() : planSchema);
  const planNow = (/** @type {any} */ { city, days }) => `${days} days in ${city}`;
  const plan = answers === 'later' ? async (/** @type {any} */ input) => planNow(input) : planNow;
  server.tool('plan', { description: 'Plans a stay', input }, plan);
  server.tool('count', { description: 'Counts', input: countSchema }, (/** @type {any} */ { to }, ctx) => {
    for (let step = 1; step <= to; step++) ctx.progress(step, steps);
    return `counted to ${to}`;
  });
  const more = workload === 'list' ? manyTools - 2 : 0;
  for (let n = 0; n < more; n++) server.tool(`plan_${n}`, { description: 'Plans a stay', input }, plan);
  await server.compileSchemas();
  return server;
}

/**
 * Serves over HTTP with the default settings: Host and Origin checks and limits.
 *
 * @param {Run} run
 * @returns {Promise<string>} the URL
 */
export async function serveOverHttp(run) {
  const { serveHttp } = await import('@tenon/mcp-server/http');
  const more = run.lifecycle === 'sessionless' ? { sessions: /** @type {const} */ (false) } : {};
  const { url } = await serveHttp(await serverOf(run), { port: 0, ...more });
  return String(url);
}

/** @param {Run} run */
export async function serveOverStdio(run) {
  const { serveStdio } = await import('@tenon/mcp-server/stdio');
  await serveStdio(await serverOf(run));
}

/** The options of a server that runs calls with an idempotency key once. */
async function keyedOptions() {
  const { idempotency } = await import('@tenon/mcp-idempotency/server');
  return { state: await sharedState(), extensions: [idempotency()] };
}

/** State that other processes could share, in memory: its calls are those of this process. */
async function sharedState() {
  const { memoryState } = await import('@tenon/mcp-state');
  const { joinProcesses } = await import('@tenon/mcp-state/adapter');
  const memory = memoryState();
  /** @type {import('@tenon/mcp-state').State} */
  const state = {
    kv: memory.kv,
    log: memory.log,
    bus: memory.bus,
    leases: memory.leases,
    status: 'ready',
    onStatus: (listener) => memory.onStatus(listener),
    close: () => memory.close(),
    join: (settings) => joinProcesses(state, settings),
  };
  return state;
}

async function zodSchema() {
  const { z } = await import('zod');
  return z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) }).strict();
}
