// Preloaded by a server that listens on every interface: assigns a free port of 127.0.0.1, and prints it.
import { Server } from 'node:net';

const { listen } = Server.prototype;

/**
 * @this {Server}
 * @param {unknown[]} given
 */
Server.prototype.listen = function (...given) {
  const listening = given.find((one) => typeof one === 'function');
  this.once('listening', () => {
    const address = this.address();
    if (typeof address !== 'object' || address === null) return;
    const origin = `http://127.0.0.1:${address.port}`;
    process.stdout.write(`${JSON.stringify({ url: `${origin}/mcp`, sse: `${origin}/sse` })}\n`);
  });
  return Reflect.apply(listen, this, [{ port: 0, host: '127.0.0.1' }, listening]);
};
