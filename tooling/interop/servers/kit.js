// What the servers on other frameworks serve: less than the fixture, since they offer less.
import { z } from 'zod';
import { png, texts, weather } from './values.js';

export { embedded, form, formMessage, info, item, question, texts, weather } from './values.js';

export const inputs = {
  add: z.object({ a: z.number(), b: z.number().default(10) }),
  weather: z.object({ city: z.string() }),
  count: z.object({ to: z.number().int() }),
  greet: z.object({ team: z.string(), name: z.string() }),
};

export const weatherOutput = z.object({
  city: z.string(),
  celsius: z.number(),
  wind: z.object({ speed: z.number(), from: z.array(z.string()) }),
  warning: z.string().nullable(),
});

export const wanted = z.object({ name: z.string().min(1), count: z.number().int().min(1).max(9) });

/** @param {string} city */
export function weatherOf(city) {
  const structuredContent = { ...weather, city };
  return { content: [block(JSON.stringify(structuredContent))], structuredContent };
}

/**
 * @param {string} text
 * @returns {{ type: 'text', text: string }}
 */
export function block(text) {
  return { type: 'text', text };
}

/** @param {string} message */
export function said(message) {
  return { content: [block(message)] };
}

/** @param {string} message */
export function failed(message) {
  return { ...said(message), isError: true };
}

/** Without annotations: not all of them let those through. */
export const picture = [
  block('a picture'),
  { type: /** @type {const} */ ('image'), data: png, mimeType: 'image/png' },
];

export const document = { uri: 'fixture://text', mimeType: 'text/plain', text: texts.odd };

export const twoTurns = [
  { role: /** @type {const} */ ('user'), content: block('Hello') },
  { role: /** @type {const} */ ('assistant'), content: block('Hi') },
];

/** @param {{ team: string, name: string }} whom */
export function greeting({ team, name }) {
  return [{ role: /** @type {const} */ ('user'), content: block(`Greet ${name} of ${team}`) }];
}

/** @param {string} typed */
export function teamsLike(typed) {
  return ['kitchen', 'garden'].filter((team) => team.startsWith(typed));
}

/** Calls of `wait` so far, and how many of them were told to stop. */
export const waiting = { waits: 0, aborted: 0 };

/** @param {AbortSignal | undefined} signal */
export async function waitFor(signal) {
  waiting.waits++;
  await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
  waiting.aborted++;
  return 'never seen';
}
