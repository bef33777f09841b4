import { growth } from './attacking.js';

/** @typedef {import('./attacking.js').Finding} Finding */
/** @typedef {import('../storm/findings/verdicts.js').Verdict} Verdict */

const mebibyte = 2 ** 20;
/** Errors that a server with state may report because of one attack. */
const mostReported = 1_000;

/**
 * Returns the ways in which the server failed to withstand one attack.
 *
 * @param {Finding} finding
 * @param {{ patience: number, memory: number }} most the time a call of another client may take, in times that the server's
 *   process takes to parse the most expensive body, and the bytes the process may occupy
 * @returns {string[]} empty if the server withstood the attack
 */
export function faultsOf({ ended, failed, memory, neighbour, counts }, most) {
  if (ended !== undefined) return [ended];
  const faults = failed === undefined ? [] : [`the attack could not be made: ${failed}`];
  if (memory !== undefined && memory.after > memory.before * (1 + growth) + (memory.kept ?? 0)) {
    faults.push(`${mebibytes(memory.after)} are held after it, ${mebibytes(memory.before)} before`);
  }
  if (memory !== undefined && memory.peak > most.memory) {
    faults.push(`the process occupied ${mebibytes(memory.peak)}`);
  }
  if (counts !== undefined && counts.reported > mostReported)
    faults.push(`${counts.reported} errors were reported`);
  if (counts !== undefined && counts.runs > 1)
    faults.push(`a handler that had finished ran again: ${counts.runs} times in all`);
  if (neighbour === undefined) return faults;
  const { slowest, largestParse } = neighbour;
  if (slowest > most.patience * largestParse) {
    const unit = `${Math.round(largestParse)} ms of the most expensive body`;
    faults.push(
      `another client waited ${Math.round(slowest)} ms for an echo: ${(slowest / largestParse).toFixed(1)} times the ${unit}`,
    );
  }
  const [failure] = neighbour.failures;
  if (failure !== undefined) faults.push(`another client was not served: ${failure}`);
  return faults;
}

/**
 * Returns one line of the report.
 *
 * @param {Finding} finding
 * @param {readonly string[]} faults
 */
export function lineOf({ name, memory, neighbour }, faults) {
  const echo =
    neighbour &&
    `echo at most ${String(Math.round(neighbour.slowest)).padStart(4)} ms, ${(neighbour.slowest / neighbour.largestParse).toFixed(1)} bodies (${neighbour.calls} calls)`;
  const held =
    memory &&
    `held ${mebibytes(memory.before)} -> ${mebibytes(memory.after)}, peak ${mebibytes(memory.peak)}`;
  const figures = [echo, held].filter((figure) => figure !== undefined).join('; ');
  const lines = [`${faults.length === 0 ? 'ok  ' : 'FAIL'}  ${name.padEnd(22)}${figures}`.trimEnd()];
  return [...lines, ...faults.map((fault) => `        ${fault}`)].join('\n');
}

/** @param {number} bytes */
function mebibytes(bytes) {
  return `${(bytes / mebibyte).toFixed(1)} MiB`;
}
