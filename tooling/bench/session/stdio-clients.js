// Clients that call the floor server over stdio.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkResult, clientInfo, goodArguments, tool, wires } from './call.js';

const args = [fileURLToPath(new URL('stdio-server.js', import.meta.url)), 'floor'];
const command = process.execPath;

/** @typedef {import('./call.js').Wire} Wire */
/** @typedef {{ call: () => Promise<any>, close: () => Promise<void>, run?: (ms: number) => Promise<number> }} Caller */

/**
 * @param {Wire} wire
 * @returns {Promise<Caller>}
 */
export async function tenonClient(wire) {
  const { connect } = await import('@tenon/mcp-client');
  const client = await connect({ command, args }, { info: clientInfo, revision: wire.revision });
  return { call: () => client.callTool(tool.name, goodArguments), close: () => client.close() };
}

/**
 * @param {Wire} wire
 * @returns {Promise<Caller>}
 */
export async function officialClient(wire) {
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const mode = wire === wires.stateless ? { pin: wire.revision } : 'legacy';
  const client = new Client(clientInfo, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command, args }));
  return {
    call: () => client.callTool({ name: tool.name, arguments: goodArguments }),
    close: () => client.close(),
  };
}

/**
 * A loop without a client: writes requests, parses answers.
 *
 * @param {Wire} wire
 * @param {{ depth: number, coalesced: boolean }} options `coalesced` writes what one chunk asks for in one write
 * @returns {Promise<Caller & { run: (ms: number) => Promise<number> }>}
 */
export async function rawLoop(wire, { depth, coalesced }) {
  const { stdin, stdout, kill } = start();
  let id = 1;
  /** @type {(answer: any) => void} */
  let onAnswer = () => {};
  let onChunk = () => {};
  let rest = '';
  stdout.setEncoding('utf8');
  stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onAnswer(JSON.parse(line));
    onChunk();
  });
  const request = () => `${JSON.stringify(wire.request(id++, goodArguments))}\n`;
  return {
    call: () =>
      new Promise((resolve) => {
        onAnswer = ({ result }) => resolve(result);
        stdin.write(request());
      }),
    run: (ms) =>
      new Promise((resolve) => {
        const end = performance.now() + ms;
        let done = 0;
        let waiting = 0;
        let out = '';
        const send = () => {
          waiting++;
          if (coalesced) out += request();
          else stdin.write(request());
        };
        onChunk = () => {
          if (out !== '') stdin.write(out);
          out = '';
          if (waiting === 0) resolve(done);
        };
        onAnswer = ({ result }) => {
          checkShape(result);
          done++;
          waiting--;
          if (performance.now() < end) send();
        };
        for (let n = 0; n < depth; n++) send();
        onChunk();
      }),
    close: kill,
  };
}

/**
 * Calls for some time, with so many calls in flight.
 *
 * @param {Caller} caller
 * @param {{ ms: number, depth: number }} options
 */
export async function callInParallel(caller, { ms, depth }) {
  const end = performance.now() + ms;
  let count = 0;
  const one = async () => {
    do {
      checkShape(await caller.call());
      count++;
    } while (performance.now() < end);
  };
  await Promise.all(Array.from({ length: depth }, one));
  return count;
}

/** @param {any} result */
function checkShape(result) {
  if (result.content.length !== 1 || result.isError === true) checkResult(result);
}

function start() {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const kill = async () => {
    child.stdin.end();
    await exited;
  };
  return { stdin: child.stdin, stdout: child.stdout, kill };
}
