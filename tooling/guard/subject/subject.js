// The measured process: `node subject.js RUN calls|bytes [URL]`. Carries out the commands of ../measuring.
import { runs } from '../runs/runs.js';
import { httpClientCalls, memoryCalls, stdioClientCalls } from './callers.js';
import { serveOverHttp, serveOverStdio } from './servers.js';

const [id, mode, url = ''] = process.argv.slice(2);
const run = runs.find((one) => one.id === id);
if (run === undefined) throw new RangeError(`No run is named ${id}.`);

const meter =
  mode === 'bytes'
    ? new (await import('./bytes-meter.js')).BytesMeter()
    : new (await import('./calls-meter.js')).CallsMeter();

/** @type {((count: number) => Promise<void>) | undefined} */
let calls;
/** @type {string | undefined} */
let served;
if (run.subject === 'http-server') served = await serveOverHttp(run);
else if (run.subject === 'stdio-server') await serveOverStdio(run);
else if (run.subject === 'memory') calls = await memoryCalls(run);
else if (run.subject === 'http-client') calls = await httpClientCalls(run, url);
else calls = await stdioClientCalls(run);

/** @type {Record<string, (count: number) => unknown>} */
const orders = {
  call: (count) => calls?.(count),
  begin: () => meter.begin(),
  take: () => meter.take(),
  watch: () => meter.watch(),
  report: () => meter.report(),
};

process.on('message', async (message) => {
  const { order, count } = /** @type {{ order: string, count: number }} */ (message);
  try {
    process.send?.({ result: await orders[order]?.(count) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.stack : String(error) });
  }
});
process.once('disconnect', () => process.exit());
process.send?.({ result: served });
