/** The number of call numbers. */
export const mostCalls = 2 ** 22;

/**
 * Returns the right answer to the call with a number.
 *
 * @param {number} number
 */
export function answerTo(number) {
  return Math.imul(number ^ 0x5bd1e995, 0x9e3779b1) >>> 0;
}

/**
 * Returns the right answer of a user to the input request of a call.
 *
 * @param {number} number
 */
export function userAnswerTo(number) {
  return answerTo(number ^ 0x55555555);
}

/** Matches the message of an input request; it contains the number of the call. */
export const inputMessage = /^Call (\d+)\?$/;

/** The start of each resource URI; the number of the resource follows. */
export const numberUri = 'chaos://numbers/';
