// The time a stdio server with one tool takes longer than bare Node to list its tools and to answer its first call, all
// imports included.
import { failureOf, quartiles, resultOf } from './results.js';
import { timeStart } from './start.js';

/** @typedef {import('./results.js').ContenderName} ContenderName */
/** @typedef {import('./results.js').FootprintRow} FootprintRow */

/**
 * One implementation of the server.
 *
 * @typedef {object} Variant
 * @property {FootprintRow} row
 * @property {ContenderName} contender
 * @property {string} program a path in `programs/`
 * @property {Record<string, unknown>} [input] default: the arguments of `plan`
 * @property {string} [label]
 * @property {number} [target]
 * @property {number} [most] the most it may take if the target is missed for a recorded reason
 *
 * @typedef {{ listed: number[], called: number[], error?: unknown }} Found
 */

/** @type {Record<'zod' | 'json' | 'plain' | 'call', FootprintRow>} */
const rows = {
  zod: { id: 'start-up', title: 'Start-up over bare Node, zod included', unit: 'ms' },
  json: { id: 'start-up-json', title: 'Start-up over bare Node, JSON Schema', unit: 'ms' },
  plain: { id: 'start-up-plain', title: 'Start-up over bare Node, no schema', unit: 'ms' },
  call: { id: 'start-up-call', title: 'The same up to the first call, which loads Ajv', unit: 'ms' },
};

/** Milliseconds that zod took on the machine of the targets; targets are scaled by the time it takes here. */
const referenceMs = 40;
/** The page with the reasons for missed targets. */
const page = 'docs/decisions/020-sizes-against-their-targets.md';

/** Not a contender: shows the share of the schema library. */
const zodAlone = /** @type {Variant} */ ({ row: rows.zod, contender: 'floor', program: 'stdio/zod.js' });

/** @type {readonly Variant[]} */
const variants = [
  zodAlone,
  { row: rows.zod, contender: 'tenon', program: 'stdio/tenon.js', target: 55, most: 63 },
  { row: rows.json, contender: 'tenon-json', program: 'stdio/tenon-json.js', target: 15, most: 25 },
  {
    ...{ row: rows.plain, contender: 'tenon', label: 'Tenon, no schema', target: 15, most: 25 },
    ...{ program: 'stdio/tenon-plain.js', input: {} },
  },
  { row: rows.zod, contender: 'official-1', program: 'stdio/official-1.js' },
  { row: rows.zod, contender: 'official-2', program: 'stdio/official-2.js' },
  { row: rows.zod, contender: 'tmcp', program: 'stdio/tmcp.js' },
  { row: rows.zod, contender: 'fastmcp', program: 'stdio/fastmcp.js' },
];

const goodInput = { city: 'Oslo', days: 3 };
const bare = { program: 'stdio/bare.js', input: goodInput };

/** @type {import('./results.js').FootprintPart} */
export const startUp = {
  rows: Object.values(rows),
  async measure({ full, wants, onProgress }) {
    const chosen = variants.filter(
      (variant) => variant === zodAlone || wants(variant.row) || wants(rows.call),
    );
    /** @type {Map<Variant, Found>} */
    const found = new Map(chosen.map((variant) => [variant, { listed: [], called: [] }]));
    const rounds = full ? 60 : 30;
    // The first round is not counted: files and caches are cold.
    for (let round = -1; round < rounds; round++) {
      onProgress(`starting servers, round ${Math.max(1, round + 1)} of ${rounds}`);
      await measureRound(found, round);
    }
    const zodMs = quartiles(found.get(zodAlone)?.listed ?? []).median;
    found.delete(zodAlone);
    const started = [...found].filter(([{ row }]) => wants(row));
    const called = wants(rows.call) ? [...found] : [];
    return [
      ...started.map(([variant, outcome]) => startOf(variant, outcome, zodMs)),
      ...called.map(([variant, outcome]) => callOf(variant, outcome)),
    ];
  },
};

/** Rounds in which all contenders start: contenders without a target need fewer. */
const everybodyEach = 3;

/**
 * Starts each program in turn, bare Node among them. Each round begins with another program.
 *
 * @param {Map<Variant, Found>} found
 * @param {number} round -1 for the round that is not counted
 */
async function measureRound(found, round) {
  const isForAll = round < 0 || round % everybodyEach === 0;
  const chosen = [...found.keys()].filter((one) => isForAll || one === zodAlone || one.target !== undefined);
  const programs = [undefined, ...chosen];
  const first = Math.max(0, round) % programs.length;
  /** @type {import('./start.js').Times | undefined} */
  let base;
  /** @type {Map<Variant, import('./start.js').Times>} */
  const times = new Map();
  for (const variant of [...programs.slice(first), ...programs.slice(0, first)]) {
    if (variant === undefined) base = await timeStart(bare);
    else if (found.get(variant)?.error === undefined) await timeVariant(variant, found, times);
  }
  if (round < 0 || base === undefined) return;
  for (const [variant, { listed, called }] of times) {
    found.get(variant)?.listed.push(listed - base.listed);
    found.get(variant)?.called.push(called - base.called);
  }
}

/**
 * @param {Variant} variant
 * @param {Map<Variant, Found>} found
 * @param {Map<Variant, import('./start.js').Times>} times
 */
async function timeVariant(variant, found, times) {
  const { program, input = goodInput } = variant;
  try {
    times.set(variant, await timeStart({ program, input }));
  } catch (error) {
    found.set(variant, { listed: [], called: [], error });
  }
}

/**
 * @param {Variant} variant
 * @param {Found} found
 * @param {number} zodMs
 */
function startOf({ row, contender, label, target, most }, { listed, error }, zodMs) {
  const scaled = {
    ...(target !== undefined && { target: (target * zodMs) / referenceMs }),
    ...(most !== undefined && { known: { page, most: (most * zodMs) / referenceMs } }),
  };
  const figure = { contender, ...(label && { label }), ...scaled };
  if (error !== undefined) return failureOf(row, figure, error);
  const { low, median, high } = quartiles(listed);
  const goal =
    target === undefined
      ? ''
      : `; target ${target} ms where zod alone takes ${referenceMs}, here ${zodMs.toFixed(0)}`;
  const note = `to the answer of tools/list; ${listed.length} starts, with the quartiles${goal}`;
  return resultOf(row, { ...figure, value: median, spread: [low, high], note });
}

/**
 * @param {Variant} variant
 * @param {Found} found
 */
function callOf({ contender, label }, { called, error }) {
  const figure = { contender, ...(label && { label }) };
  if (error !== undefined) return failureOf(rows.call, figure, error);
  const { low, median, high } = quartiles(called);
  return resultOf(rows.call, { ...figure, value: median, spread: [low, high] });
}
