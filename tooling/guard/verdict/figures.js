import { isValidation } from './schema-libraries.js';

/**
 * The measured figures of a run, per request.
 *
 * @typedef {object} Figures
 * @property {Record<string, number>} counts by id, see counts.js
 * @property {Record<string, number>} functions calls of Tenon's functions
 * @property {Record<string, number>} packages calls of functions, by package
 * @property {Record<string, Record<string, number>>} callers of built-ins and validators, by count
 * @property {Record<string, number>} allocators sampled bytes, by allocating function
 *
 * @typedef {import('../subject/calls-meter.js').CallsReport} CallsReport
 * @typedef {import('../subject/bytes-meter.js').BytesReport} BytesReport
 */

/**
 * Returns the medians of all batches.
 *
 * @param {{ calls: CallsReport, bytes: BytesReport }} reports
 * @param {number} requests of one batch
 * @returns {Figures}
 */
export function figuresOf({ calls, bytes }, requests) {
  const each = (/** @type {(number | undefined)[]} */ values) =>
    round(median(values.map((value) => value ?? 0)) / requests);
  const batches = calls.batches.map(sortedOut);
  const medians = (/** @type {'functions' | 'packages' | 'validators'} */ part) => {
    const names = new Set(batches.flatMap((batch) => Object.keys(batch[part])));
    const found = [...names].map((name) => [name, each(batches.map((batch) => batch[part][name]))]);
    return Object.fromEntries(found.filter(([, count]) => count !== 0));
  };
  const packages = medians('packages');
  const { tenon = 0, node = 0, ...libraries } = totals(packages);
  const validators = medians('validators');
  const tallied = Object.keys(calls.batches[0]?.tally ?? {});
  return {
    counts: {
      ...Object.fromEntries(tallied.map((id) => [id, each(calls.batches.map(({ tally }) => tally[id]))])),
      validations: sum(validators),
      calls: tenon,
      libraryCalls: sum(libraries),
      nodeCalls: node,
      allocated: Math.round(each(bytes.batches.map(({ allocated }) => allocated))),
      kept: Math.round(each(bytes.batches.map(({ kept }) => kept))),
    },
    functions: medians('functions'),
    packages,
    callers: { ...perRequest(calls.callers, requests), validations: validators },
    allocators: perRequest({ all: bytes.allocators }, requests).all ?? {},
  };
}

/** @param {CallsReport['batches'][number]} batch */
function sortedOut({ functions }) {
  /** @type {Record<'functions' | 'packages' | 'validators', Record<string, number>>} */
  const batch = { functions: {}, packages: {}, validators: {} };
  for (const one of functions) {
    const { owner, name, calls } = one;
    const part = owner === 'tenon' ? `tenon/${name.split('/')[0]}` : owner;
    batch.packages[part] = (batch.packages[part] ?? 0) + calls;
    if (owner === 'tenon') batch.functions[name] = calls;
    if (isValidation(one)) batch.validators[`${owner} ${name}`] = calls;
  }
  return batch;
}

/** @param {Record<string, number>} packages */
function totals(packages) {
  /** @type {Record<string, number>} */
  const found = {};
  for (const [name, count] of Object.entries(packages)) {
    const owner = name.startsWith('tenon/') ? 'tenon' : name;
    found[owner] = round((found[owner] ?? 0) + count);
  }
  return found;
}

/**
 * @param {Record<string, Record<string, number>>} groups
 * @param {number} requests
 */
function perRequest(groups, requests) {
  const each = (/** @type {Record<string, number>} */ group) =>
    Object.fromEntries(Object.entries(group).map(([name, count]) => [name, round(count / requests)]));
  return Object.fromEntries(Object.entries(groups).map(([id, group]) => [id, each(group)]));
}

/** @param {Record<string, number>} values */
function sum(values) {
  return round(Object.values(values).reduce((all, one) => all + one, 0));
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 100) / 100;
}
