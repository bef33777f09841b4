// The tools of measured servers. Every contender serves the same three tools, or a catalogue of 500.

export const serverInfo = { name: 'bench', version: '1.0.0' };

/** Progress messages of one call of `count`. */
export const steps = 1_000;

/** Characters that the row of large payloads sends to `echo`. */
export const payloadLength = 1_000_000;

/** Tools of the catalogue `many`. */
export const manyTools = 500;

export const plan = {
  name: 'plan',
  description: 'Plans a stay',
  inputSchema: {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 1 },
      days: { type: 'integer', minimum: 1, maximum: 7 },
    },
    required: ['city', 'days'],
    additionalProperties: false,
  },
  run: (/** @type {{ city: string, days: number }} */ { city, days }) => `${days} days in ${city}`,
};

export const echo = {
  name: 'echo',
  description: 'Returns a text',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
    additionalProperties: false,
  },
  run: (/** @type {{ text: string }} */ { text }) => text,
};

/** Reports progress from 1 to `to`, one message each. Awaits each message if the framework returns a promise. */
export const count = {
  name: 'count',
  description: 'Counts, and reports each step as progress',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'integer', minimum: 1 } },
    required: ['to'],
    additionalProperties: false,
  },
  done: (/** @type {{ to: number }} */ { to }) => `counted to ${to}`,
};

/**
 * The same schemas for frameworks that use zod.
 *
 * @returns {Promise<Record<'plan' | 'echo' | 'count', import('zod').ZodObject>>}
 */
export async function zodSchemas() {
  const { z } = await import('zod');
  return {
    plan: z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) }).strict(),
    echo: z.object({ text: z.string() }).strict(),
    count: z.object({ to: z.number().int().min(1) }).strict(),
  };
}

/** The names of the catalogue `many`: tools with the arguments of `plan`. */
export const manyNames = Array.from(
  { length: manyTools },
  (_, index) => `plan_${String(index).padStart(3, '0')}`,
);
