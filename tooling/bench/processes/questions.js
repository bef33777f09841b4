// What a measured process tells about itself, over the IPC channel it was started with.

/** @typedef {{ cpu: number }} CpuAnswer microseconds of CPU the process has taken, user and system
 *  @typedef {{ heap: number }} HeapAnswer bytes of live objects and external memory, after forced collections; compiled code left out */

/** Answers `'cpu'` and `'heap'`; the latter needs `--expose-gc`. Does not keep the process alive. */
export function answerQuestions() {
  process.on('message', async (question) => {
    if (question === 'cpu') process.send?.({ cpu: cpuMicroseconds() });
    else if (question === 'heap') process.send?.({ heap: await liveBytes() });
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
