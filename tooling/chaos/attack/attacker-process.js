// The attacker, in a process of its own, which takes nothing from the server and its neighbour but a core.
import process from 'node:process';
import { serveCommands } from '../children/commands.js';
import { httpAttacks } from './http-attacks.js';
import { Stage } from './stage.js';

/** @type {Stage | undefined} */
let stage;

// A connection that the server closes is its defence.
process.on('uncaughtException', (error) => {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code !== 'EPIPE' && code !== 'ECONNRESET') throw error;
});

serveCommands({
  attack: async ({ name, url, seconds }) => {
    const attack = httpAttacks.find((one) => one.name === name);
    if (attack === undefined) throw new RangeError(`There is no attack ${name}.`);
    stage = new Stage(url, seconds);
    await attack.run(stage);
  },
  leave: () => stage?.leave(),
});
