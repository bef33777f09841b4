/**
 * The key of the part of a server that transports use: `server[serverPort].accept(connection)`. It is the same in all copies of
 * this package.
 */
export const serverPort: unique symbol = Symbol.for('dev.tenon/server-port@1');
