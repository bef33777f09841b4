import { callsOf } from '../base/raw-caller.js';
import { answersOf } from './answers.js';

/**
 * Makes a JSON round trip of request and answer: the least work of two ends in one process.
 *
 * @param {import('../../matrix/wires.js').Lifecycle} lifecycle
 * @returns {import('../base/raw-caller.js').Caller}
 */
export function memoryCaller(lifecycle) {
  const answers = answersOf({ lifecycle, catalogue: 'few' });
  const nextCall = callsOf(lifecycle);
  const roundTrip = () => {
    const message = JSON.parse(JSON.stringify(nextCall()));
    return JSON.parse(JSON.stringify(answers(message))).result;
  };
  return {
    call: async () => roundTrip(),
    close: async () => {},
    run({ ms, check }) {
      const end = performance.now() + ms;
      let done = 0;
      do {
        for (let n = 0; n < 64; n++) check(roundTrip());
        done += 64;
      } while (performance.now() < end);
      return done;
    },
  };
}
