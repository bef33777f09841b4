// A server to be measured: `node server.js CONTENDER http|stdio LIFECYCLE CATALOGUE [WORKLOAD]`. Tells when it serves, and answers
// questions about itself over the IPC channel.
import { answerQuestions } from './questions.js';

const [name = '', carrier = '', lifecycle = '', catalogue = '', workload] = process.argv.slice(2);

const contender = await import(`../contenders/${name}.js`);
const given = { lifecycle, catalogue, workload };
/** @type {string | undefined} */
const url = carrier === 'http' ? await contender.serveHttp(given) : await contender.serveStdio(given);
answerQuestions();
// By `exit`, so that a CPU profile is written; and never longer than the process that measures.
process.on('SIGTERM', () => process.exit());
if (process.channel) process.on('disconnect', () => process.exit());
process.send?.({ url });
