// Lets a measured process report its CPU time and heap over the IPC channel.

/** @typedef {{ cpu: number }} CpuAnswer microseconds of CPU that the process has used, user and system
 *  @typedef {{ heap: number }} HeapAnswer bytes of live objects and external memory after forced collections, without code */

/** Answers `'cpu'` and `'heap'`; the latter needs `--expose-gc`. Does not keep the process alive. */
export function reportUsage() {
  process.on('message', async (kind) => {
    if (kind === 'cpu') process.send?.({ cpu: cpuMicroseconds() });
    else if (kind === 'heap') process.send?.({ heap: await liveBytes() });
  });
  process.channel?.unref();
}

function cpuMicroseconds() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function liveBytes() {
  const { getHeapSpaceStatistics } = await import('node:v8');
  const gc = /** @type {() => void} */ (globalThis.gc);
  for (let n = 0; n < 6; n++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  let bytes = process.memoryUsage().external;
  for (const { space_name, space_used_size } of getHeapSpaceStatistics()) {
    if (!space_name.startsWith('code')) bytes += space_used_size;
  }
  return bytes;
}
