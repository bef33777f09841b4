// A measured server: `node server.js CONTENDER http|stdio LIFECYCLE CATALOGUE [WORKLOAD [STATE]]`. Reports when it serves, and
// its CPU time and heap, over the IPC channel.
import { reportUsage } from './usage-reports.js';

const [name = '', transport = '', lifecycle = '', catalogue = '', workload, state] = process.argv.slice(2);

const contender = await import(`../contenders/${name}.js`);
const given = { lifecycle, catalogue, workload, state };
/** @type {string | undefined} */
const url = transport === 'http' ? await contender.serveHttp(given) : await contender.serveStdio(given);
reportUsage();
// Ends with `exit`, so that Node writes a CPU profile.
process.on('SIGTERM', () => process.exit());
if (process.channel) process.on('disconnect', () => process.exit());
process.send?.({ url });
