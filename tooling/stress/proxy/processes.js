import { startRedis } from '../../suite/services/redis-server.js';
import { RoundRobinProxy } from './round-robin-proxy.js';

/**
 * A server in a process of its own.
 *
 * @template Closed
 * @typedef {object} ServerProcess
 * @property {string} url of its endpoint, on 127.0.0.1 or localhost
 * @property {string} [sse] the URL of its HTTP+SSE endpoint
 * @property {() => Promise<Closed>} close
 */

/**
 * Starts Redis, processes of one server that share it, and a proxy that deals requests to them in turn, without affinity.
 * The processes start one after the other.
 *
 * @template Closed
 * @param {number} count of processes
 * @param {(shared: { redis: string, port: number }) => Promise<ServerProcess<Closed>>} start starts one process, with the URL of
 *   Redis and the port of the proxy
 * @returns {Promise<ServerProcess<Closed[]> & { dealt: () => number[] }>} the addresses at the proxy;
 *   `close` resolves with the results of all processes, `dealt` returns the number of requests that each received
 */
export async function startProcesses(count, start) {
  const redis = await startRedis();
  const proxy = new RoundRobinProxy();
  /** @type {ServerProcess<Closed>[]} */
  const processes = [];
  const close = async () => {
    const closed = await Promise.all(processes.splice(0).map((one) => one.close()));
    await proxy.close();
    await redis.stop();
    return closed;
  };
  try {
    const port = await proxy.listen();
    for (let started = 0; started < count; started++) {
      const one = await start({ redis: redis.url, port });
      processes.push(one);
      proxy.add(Number(new URL(one.url).port));
    }
    const [first] = processes;
    if (first === undefined) throw new RangeError('At least one process is needed.');
    const { url, sse } = first;
    const addresses = { url: at(url, port), ...(sse !== undefined && { sse: at(sse, port) }) };
    return { ...addresses, close, dealt: () => [...proxy.dealt.values()] };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * @param {string} url
 * @param {number} port
 */
function at(url, port) {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
}
