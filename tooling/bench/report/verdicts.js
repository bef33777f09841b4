import { isTenon } from '../rounds/entrants.js';
import { amount, nodeName, spread, times, withSpread } from './wording.js';

/** @typedef {import('./results.js').Result} Result */
/** @typedef {import('../footprint/results.js').FootprintResult} FootprintResult */
/** @typedef {import('../cluster/results.js').ClusterResult} ClusterResult */

/**
 * The conclusions from the figures, one line each.
 *
 * @typedef {object} Verdicts
 * @property {string[]} voids cells without a figure: an answer was wrong, or the contender failed
 * @property {string[]} missed targets that are missed
 * @property {string[]} known targets that are missed within the bounds of a recorded reason
 * @property {string[]} behind rows in which a peer takes less CPU than Tenon
 * @property {{ claim: string, holds: boolean, figures: string[] } | undefined} tenfold the comparison with official 2.x, if measured
 * @property {string[]} remarks peers with a smaller footprint than Tenon; footprints have targets of their own
 */

/** The rows without sessions. */
const callsWithoutSession = ['http-sessionless', 'http-stateless'];

/** Tenon must take this many times less CPU than official 2.x. */
const factor = 10;

/** A call through a host may take this many times the CPU of the same call through a client. */
const hostFactor = 1.3;

/**
 * @param {readonly Result[]} results
 * @param {readonly FootprintResult[]} footprint
 * @param {readonly ClusterResult[]} [cluster]
 * @returns {Verdicts}
 */
export function verdictsOf(results, footprint, cluster = []) {
  return {
    voids: [
      ...results.flatMap((result) =>
        result.error === undefined ? [] : [`${placeOf(result)}: ${result.error}`],
      ),
      ...[...footprint, ...cluster].flatMap(({ title, label, error }) =>
        error === undefined ? [] : [`${title}, ${label}: ${error}`],
      ),
    ],
    missed: [
      ...results.flatMap(missedBy),
      ...results.flatMap(missedByHost),
      ...footprint.filter((one) => !isKnown(one)).flatMap(missedByFootprint),
      ...cluster.flatMap(missedByCluster),
    ],
    known: footprint
      .filter(isKnown)
      .flatMap((one) => missedByFootprint(one).map((text) => `${text}; ${one.known?.page}`)),
    behind: [
      ...results
        .filter(({ ownNode, contender }) => ownNode && contender !== 'tenon-host')
        .flatMap((result) => fasterThanTenon(placeOf(result), result)),
      ...cluster.flatMap((result) => fasterThanTenon(`${result.title}, ${result.label}`, result)),
    ],
    tenfold: tenfold(results),
    remarks: footprint.flatMap((result) => smallerThanTenon(result, footprint)),
  };
}

/**
 * True if a run has failed.
 *
 * @param {Verdicts} verdicts
 * @param {boolean} lenient true to tolerate missed targets and faster peers
 */
export function isFailure({ voids, missed, behind, tenfold }, lenient) {
  if (voids.length > 0) return true;
  return !lenient && (missed.length > 0 || behind.length > 0 || tenfold?.holds === false);
}

/** @param {Result} result */
function missedBy(result) {
  const { met, cpu, target } = result;
  return met === false && cpu ? [`${placeOf(result)}: ${withSpread(cpu)}, target ${target}`] : [];
}

/** @param {Result} result */
function missedByHost(result) {
  const { contender, ownNode, overTenon } = result;
  if (contender !== 'tenon-host' || !ownNode || overTenon === undefined || overTenon.median <= hostFactor)
    return [];
  return [`${placeOf(result)}: ${withSpread(overTenon)} times the CPU of a client, target ${hostFactor}`];
}

/**
 * @param {string} place
 * @param {Pick<Result, 'overTenon'>} result
 */
function fasterThanTenon(place, { overTenon }) {
  if (overTenon === undefined || overTenon.median >= 1) return [];
  return [`${place}: ${withSpread(overTenon)} times Tenon's CPU`];
}

/** @param {ClusterResult} result */
function missedByCluster({ title, label, overMemory, target, met }) {
  if (met !== false || overMemory === undefined) return [];
  return [`${title}, ${label}: ${withSpread(overMemory)} times the CPU of state in memory, target ${target}`];
}

/** @param {FootprintResult} result */
function isKnown({ known, value }) {
  return known !== undefined && value <= known.most;
}

/** @param {FootprintResult} result */
function missedByFootprint({ title, label, value, unit, target = 0, met, error }) {
  if (met !== false || error !== undefined) return [];
  return [`${title}, ${label}: ${amount(value, unit)}, target ${amount(target, unit)}`];
}

/**
 * Compares with the configuration that official 2.x recommends, and mentions its other configuration.
 *
 * @param {readonly Result[]} results
 */
function tenfold(results) {
  const shown = results.filter(
    ({ row, contender, ownNode, overTenon }) =>
      callsWithoutSession.includes(row) && contender.startsWith('official-2') && ownNode && overTenon,
  );
  const judged = shown.filter(({ contender }) => contender === 'official-2');
  if (judged.length === 0) return undefined;
  return {
    claim: `at least ${factor} times less CPU per call without a session than official 2.x`,
    holds: judged.every(({ overTenon }) => (overTenon?.median ?? 0) >= factor),
    figures: shown.map((result) => {
      const figure = /** @type {import('./statistics.js').Figure} */ (result.overTenon);
      const aside = judged.includes(result) ? '' : ', not judged';
      return `${placeOf(result)}: ${times(figure.median)} times (${spread(figure)})${aside}`;
    }),
  };
}

/**
 * @param {FootprintResult} result
 * @param {readonly FootprintResult[]} all
 */
function smallerThanTenon({ id, title, contender, label, value, unit }, all) {
  const tenon = all.find((one) => one.id === id && one.contender === 'tenon');
  if (tenon === undefined || contender === 'floor' || isTenon(contender) || !(value < tenon.value)) return [];
  return [`${title}: ${label} ${amount(value, unit)}, Tenon ${amount(tenon.value, unit)}`];
}

/** @param {Result} result */
function placeOf({ title, label, depth, node, ownNode }) {
  return `${title}, ${label}, ${depth} in flight${ownNode ? '' : `, ${nodeName(node)}`}`;
}
