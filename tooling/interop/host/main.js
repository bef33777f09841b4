// `pnpm interop:host`: ten servers from npm at once in one host.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, memoryAudit } from '@tenon/mcp-host';
import { aiTools } from '@tenon/mcp-host/ai-sdk';
import { langchainTools } from '@tenon/mcp-host/langchain';
import { subjects, targetOf } from './servers.js';

const formats = /** @type {const} */ (['anthropic', 'openai', 'openai-responses', 'gemini', 'ai-sdk']);
const accepted = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const timeLimit = 240_000;

const folder = mkdtempSync(join(tmpdir(), 'tenon-interop-host-'));
const starts = join(folder, 'starts');
const mark = `tenon-interop-${process.pid}-${Date.now()}`;
writeFileSync(starts, '');
writeFileSync(join(folder, 'notes.md'), 'buy milk\n');
writeFileSync(join(folder, 'code.js'), 'debugger;\n');
writeFileSync(
  join(folder, 'eslint.config.js'),
  'module.exports = [{ rules: { "no-debugger": "error" } }];\n',
);

let checked = 0;
let wrong = 0;
/** @type {import('@tenon/mcp-host').ConsentRequest[]} */
const questions = [];
const audit = memoryAudit();
const host = createHost({
  info: { name: 'interop', version: '1.0.0' },
  servers: Object.fromEntries(
    subjects.map((subject) => [subject.name, targetOf(subject, { folder, starts, mark })]),
  ),
  consent: (question) => {
    questions.push(question);
    return 'run';
  },
  audit,
});
const signal = AbortSignal.timeout(timeLimit);
const begun = performance.now();

try {
  await check('all servers start at once, each program once', startAll);
  await check('every name fits every format, and leads to its server', listAll);
  for (const format of formats) await check(`all tools for ${format}`, () => render(format));
  for (const subject of subjects)
    if (subject.call !== undefined) await check(`a call of ${subject.name}`, () => callOne(subject));
  await check('the AI SDK calls a tool of each server', callByAiSdk);
  await check('LangChain calls a tool of each server', callByLangchain);
  await check('a server that is killed does not touch a call of another', killBeside);
  await check('a server that is killed in a call has an unknown outcome', killInCall);
  await check('no program was started twice but the killed ones', () => {
    for (const [name, pids] of startsOf())
      assert.equal(pids.length, name === 'memory' || name === 'everything' ? 2 : 1, `starts of ${name}`);
  });
} finally {
  await host.close();
}
await check('closing leaves no process behind', noneLeft);
rmSync(folder, { recursive: true, force: true });
const called = subjects.filter(({ call }) => call !== undefined).length;
const seconds = ((performance.now() - begun) / 1000).toFixed(0);
console.log(
  `interop of the host: ${checked} checks, ${wrong} red, ${called} of ${subjects.length} servers called, ${seconds} s`,
);
process.exitCode = wrong === 0 ? 0 : 1;

/**
 * @param {string} title
 * @param {() => unknown} work
 */
async function check(title, work) {
  checked += 1;
  try {
    const seen = await work();
    console.log(`ok  ${title}${typeof seen === 'string' ? `: ${seen}` : ''}`);
  } catch (error) {
    wrong += 1;
    console.log(`RED ${title}: ${error instanceof Error ? error.message : error}`);
  }
}

async function startAll() {
  const from = performance.now();
  const states = await host.servers.start({ signal });
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  for (const { name, status, reason } of states) assert.equal(status, 'ready', `${name}: ${reason}`);
  const counts = [...startsOf()].map(([name, pids]) => `${name} ${pids.length}`);
  assert.deepEqual(counts.sort(), subjects.map(({ name }) => `${name} 1`).sort());
  // The whole command of each was shown.
  const commands = questions.filter(({ request }) => request.kind === 'start');
  assert.equal(commands.length, subjects.length);
  return `${states.length} in ${seconds} s`;
}

async function listAll() {
  const tools = await host.tools({ signal });
  for (const { name } of tools) assert.match(name, accepted);
  assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length, 'names are unique');
  for (const { name, tools: least } of subjects) {
    const { length } = tools.filter(({ server }) => server === name);
    assert.ok(length >= least, `${name} lists ${length} tools, ${least} at least were expected`);
  }
  return `${tools.length} tools`;
}

/** @param {typeof formats[number]} format */
async function render(format) {
  const all = await host.modelTools({ signal });
  const { tools, report, tokens } = await host.tools({ for: format, signal });
  const json = JSON.stringify(tools);
  for (const { name } of all) assert.ok(json.includes(`"${name}"`), `${name} is missing`);
  const { tools: strict } = await host.tools({ for: format, strict: true, signal });
  assert.ok(JSON.stringify(strict).length > 0);
  const lost = new Set(report.map(({ tool }) => tool)).size;
  return `${all.length} tools, about ${tokens} tokens, ${lost} with losses`;
}

/** @param {import('./servers.js').Subject} subject */
async function callOne({ name, call }) {
  if (call === undefined) return;
  const [result] = await host.run(
    [{ id: `call-${name}`, name: nameOf(name, call.tool), args: call.args(folder) }],
    { turn: 1, signal },
  );
  const text = textOf(result);
  assert.ok(result?.isError !== true, `${name}: ${text}`);
  assert.match(text, call.answer);
  const asked = questions.filter(({ request }) => request.kind === 'tool' && request.server === name);
  assert.equal(asked.length, 1, 'the user was asked once');
  const records = audit.records.filter(({ callId }) => callId === `call-${name}`);
  assert.deepEqual(
    records.map(({ outcome, decidedBy, way }) => [outcome, decidedBy, way]),
    [
      ['running', 'consent', 'model'],
      ['done', 'consent', 'model'],
    ],
  );
}

async function callByAiSdk() {
  const tools = await aiTools(host, { signal });
  for (const { name, call } of subjects) {
    if (call === undefined) continue;
    const tool = tools[nameOf(name, call.tool)];
    assert.ok(tool?.execute, `${name} is missing`);
    const options = { toolCallId: `ai-${name}`, messages: [], abortSignal: signal, context: undefined };
    assert.match(
      JSON.stringify(await tool.execute(call.args(folder), /** @type {any} */ (options))),
      textIn(call.again ?? call.answer),
    );
  }
}

async function callByLangchain() {
  const tools = await langchainTools(host, { signal });
  for (const { name, call } of subjects) {
    if (call === undefined) continue;
    const tool = tools.find((one) => one.name === nameOf(name, call.tool));
    assert.ok(tool, `${name} is missing`);
    const args = call.args(folder);
    const message = await tool.invoke({ type: 'tool_call', id: `langchain-${name}`, name: tool.name, args });
    assert.match(JSON.stringify(message.content), textIn(call.again ?? call.answer));
  }
}

/**
 * Returns the expression for a text inside of JSON, without anchors.
 *
 * @param {RegExp} answer
 */
function textIn({ source, flags }) {
  return new RegExp(source.replace(/^\^|\$$/g, ''), flags);
}

async function killBeside() {
  let killed = false;
  const result = await longCall(() => {
    killed = kill('memory');
  });
  assert.ok(killed);
  assert.notEqual(result.isError, true);
  const [again] = await host.run([{ id: 'again', name: nameOf('memory', 'read_graph'), args: {} }], {
    signal,
  });
  assert.match(textOf(again), /Ada/);
}

async function killInCall() {
  const outcome = await longCall(() => kill('everything')).catch((error) => error);
  assert.equal(outcome.reason, 'unknown-outcome');
  assert.equal(audit.records.at(-1)?.outcome, 'unknown');
  const [again] = await host.run(
    [{ id: 'again', name: nameOf('everything', 'echo'), args: { message: 'back' } }],
    { signal },
  );
  assert.match(textOf(again), /back/);
}

/** @param {() => void} onFirst called when the tool runs */
function longCall(onFirst) {
  let isFirst = true;
  const onProgress = () => {
    if (isFirst) onFirst();
    isFirst = false;
  };
  const address = { server: 'everything', tool: 'trigger-long-running-operation' };
  return host.callTool(address, { duration: 2, steps: 4 }, { onProgress, signal });
}

/** @param {string} name */
function kill(name) {
  return process.kill(Number(startsOf().get(name)?.at(-1)), 'SIGKILL');
}

/** @param {string} server @param {string} tool */
function nameOf(server, tool) {
  return `${server}__${tool}`;
}

/** @param {import('@tenon/mcp-host').HostToolResult | undefined} result */
function textOf(result) {
  return (result?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** Returns the process ids of the starts of each server. */
function startsOf() {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const line of readFileSync(starts, 'utf8').trim().split('\n')) {
    const [name = '', pid = ''] = line.split(' ');
    found.set(name, [...(found.get(name) ?? []), pid]);
  }
  return found;
}

/** Looks for the servers, and on Linux for all processes that they started. */
function noneLeft() {
  const left = [...startsOf()].flatMap(([name, pids]) => pids.filter(isAlive).map((pid) => `${name} ${pid}`));
  assert.deepEqual([...left, ...marked()], []);
}

/** @param {string} pid */
function isAlive(pid) {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

/** Returns the commands of processes that inherited the mark. */
function marked() {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const isMarked = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
      return isMarked
        ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200)]
        : [];
    } catch {
      // It ended, or belongs to another user.
      return [];
    }
  });
}
