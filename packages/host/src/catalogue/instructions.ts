import { randomId } from '@tenon/foundation';
import { shortened, visibleText } from '../models/formats/text/visible-text.js';
import type { ServerState } from '../servers/server-state.js';

/** Characters of the instructions of one server, and of all servers. */
const most = { one: 2_000, all: 20_000 };

/**
 * Returns the instructions of servers for the system prompt of a model, each between two lines that name its server. The lines have a random mark, so that no server can
 * pretend that its instructions end.
 */
export function instructionsOf(states: readonly ServerState[]): string {
  const mark = randomId(4);
  const parts = states.flatMap(({ name, instructions = '' }) => {
    const text = shortened(visibleText(instructions).trim(), most.one);
    const server = JSON.stringify(name);
    return text === ''
      ? []
      : [
          `[instructions ${mark} of the server ${server}, for its own tools only]\n${text}\n[end of instructions ${mark}]`,
        ];
  });
  let length = 0;
  const fitting = parts.filter((part) => {
    length += part.length;
    return length <= most.all;
  });
  return fitting.join('\n');
}
