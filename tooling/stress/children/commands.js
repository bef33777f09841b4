import process from 'node:process';

/**
 * Carries out the commands of the parent process. Only the channel to the parent keeps this process alive.
 *
 * @param {Readonly<Record<string, (given: any) => unknown>>} commands
 */
export function serveCommands(commands) {
  process.on('message', (message) => {
    const { id, command, given } = /** @type {{ id: number, command: string, given: object }} */ (message);
    run(commands[command], given).then(
      (result) => process.send?.({ id, result }),
      (error) => process.send?.({ id, error: error instanceof Error ? error.stack : String(error) }),
    );
  });
}

/**
 * @param {((given: any) => unknown) | undefined} command
 * @param {object} given
 */
async function run(command, given) {
  if (command === undefined) throw new RangeError('The command is unknown.');
  return command(given);
}
