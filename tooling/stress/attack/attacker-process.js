// The attacker, in a process of its own: it shares nothing with the server and its neighbour except the machine.
import process from 'node:process';
import { serveCommands } from '../children/commands.js';
import { httpAttacks } from './http-attacks.js';
import { Stage } from './stage.js';
import { stateAttacks } from './state-attacks.js';

/** @type {Stage | undefined} */
let stage;

// The server may close a connection to defend itself.
process.on('uncaughtException', (error) => {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code !== 'EPIPE' && code !== 'ECONNRESET') throw error;
});

serveCommands({
  attack: async ({ name, url, seconds }) => {
    const attack = [...httpAttacks, ...stateAttacks].find((one) => one.name === name);
    if (attack === undefined) throw new RangeError(`No attack is named ${name}.`);
    stage = new Stage(url, seconds);
    await attack.run(stage);
  },
  leave: () => stage?.leave(),
});
