import { judged } from '../run/once-verdicts.js';
import { callTool } from '../wire/stateless.js';

/** Tasks that one caller makes at once, and the most that one caller may have. */
const [atOnce, perCaller] = [300, 320];
/** Tasks that a caller makes at once until one is refused. */
const beyond = 40;
const address = '127.0.0.1';
const otherAddress = '127.0.0.2';

/** @type {import('./index.js').Incident} */
export const tasksAtOnce = {
  name: 'tasks-at-once',
  about: `one caller makes ${atOnce} tasks at once at four processes, and a caller from another address makes one`,
  run: async (stage) => {
    const nodes = await stage.nodes(4, { taskLimits: { perCaller, running: 1_000 } });
    let turn = 0;
    const make = async (/** @type {string} */ localAddress) => {
      const url = nodes[turn++ % nodes.length]?.url ?? '';
      const call = { number: stage.number(), tool: 'work', given: { steps: 0, ms: 0 } };
      const { status, message } = await callTool({ url, localAddress }, call);
      if (message?.result?.taskId !== undefined) return [];
      return [`status ${status}: ${JSON.stringify(message?.error ?? message).slice(0, 200)}`];
    };
    const many = (/** @type {number} */ count) =>
      Promise.all(Array.from({ length: count }, () => make(address)));
    const refused = (await many(atOnce)).flat();
    let more = 0;
    for (let isRefused = false; !isRefused && more < perCaller; more += beyond)
      isRefused = (await many(beyond)).flat().length > 0;
    const other = await make(otherAddress);
    return [
      judged(`none of ${atOnce} tasks is refused`, refused),
      judged(
        `a caller has at most ${perCaller} tasks`,
        more < perCaller ? [] : [`none of ${more} further tasks was refused`],
      ),
      judged('a caller from another address makes a task all the same', other),
    ];
  },
};
