import process from 'node:process';
import { stdioTarget } from '@tenon/mcp-client/stdio';

/** @typedef {import('@tenon/mcp-protocol').Connection} Connection */

/**
 * Returns a dialer that starts servers, and kills each after a while during the storm.
 *
 * @param {readonly string[]} args of Node
 * @param {() => boolean} isOver true after the storm
 * @param {import('../../faults/random.js').Random} random
 */
export function childDialer(args, isOver, random) {
  const target = stdioTarget({ command: process.execPath, args, stderr: 'ignore' });
  /** Process ids of the killed servers. @type {number[]} */
  const deaths = [];
  const open = async () => {
    const connection = await target.open();
    const { pid } = /** @type {Connection & { pid?: number }} */ (connection);
    const timer = setTimeout(
      () => {
        if (pid === undefined || isOver()) return;
        deaths.push(pid);
        process.kill(pid, 'SIGKILL');
      },
      random.between(1_500, 8_000),
    );
    return ending(connection, () => clearTimeout(timer));
  };
  return { dialer: { open, restartable: true }, deaths };
}

/**
 * @param {Connection} connection
 * @param {() => void} ended called when the connection has ended, or is about to end
 * @returns {Connection}
 */
function ending(connection, ended) {
  const start = connection.start.bind(connection);
  const close = connection.close.bind(connection);
  connection.start = (receiver) =>
    start({
      receive: (value, exchange) => receiver.receive(value, exchange),
      malformed: (reason, exchange) => receiver.malformed(reason, exchange),
      closed: (reason) => {
        ended();
        receiver.closed(reason);
      },
    });
  connection.close = () => {
    ended();
    return close();
  };
  return connection;
}
