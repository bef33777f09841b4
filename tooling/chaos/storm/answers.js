/** How many numbers there are for calls. */
export const mostCalls = 2 ** 22;

/**
 * The one right answer to the call of a number.
 *
 * @param {number} number
 */
export function answerTo(number) {
  return Math.imul(number ^ 0x5bd1e995, 0x9e3779b1) >>> 0;
}

/**
 * The one right answer of a user who is asked about a call.
 *
 * @param {number} number
 */
export function userAnswerTo(number) {
  return answerTo(number ^ 0x55555555);
}

/** What a question says; the number in it is the call's. */
export const question = /^Call (\d+)\?$/;

/** Names the resource of a number. */
export const numberUri = 'chaos://numbers/';
