// Starts a bundled server over stdio, makes one call and ends it: `node run.js FILE LIFECYCLE`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { wires, workloads } from '../../../matrix/wires.js';

const [bundle = '', lifecycle = ''] = process.argv.slice(2);
const { opening, request } = wires[/** @type {import('../../../matrix/wires.js').Lifecycle} */ (lifecycle)];
const { method, params } = workloads.call;

const server = spawn(process.execPath, [bundle], { stdio: ['pipe', 'pipe', 'inherit'] });
const exit = once(server, 'exit');
const answers = createInterface(server.stdout)[Symbol.asyncIterator]();
const [first, ...rest] = opening;
send(first);
await answers.next();
for (const message of rest) send(message);
send(request(1, method, params(1)));
const { value: answer = '' } = await answers.next();
server.stdin.end();
const [code] = await exit;
if (!answer.includes('3 days in Oslo')) throw new Error(`wrong answer: ${answer.slice(0, 300)}`);
if (code !== 0) throw new Error(`the server ended with ${code}`);

/** @param {object | undefined} message */
function send(message) {
  server.stdin.write(`${JSON.stringify(message)}\n`);
}
