/** Everything that has happened in the page of a host, in order. @type {[string, ...any][]} */
export const events = [];
/** @type {Set<() => void>} */
const waiting = new Set();

/** @param {[string, ...any]} event */
export function happened(...event) {
  events.push(event);
  for (const look of [...waiting]) look();
}

/**
 * Waits until an event with this name has happened.
 *
 * @param {string} name
 * @param {number} [times]
 * @returns {Promise<any[]>} the arguments of the last one
 */
export function until(name, times = 1) {
  return new Promise((resolve) => {
    const look = () => {
      const last = events.filter(([one]) => one === name)[times - 1];
      if (last === undefined) return;
      waiting.delete(look);
      resolve(last.slice(1));
    };
    waiting.add(look);
    look();
  });
}
