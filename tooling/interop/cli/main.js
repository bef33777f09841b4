// `pnpm interop:cli`: each command of `tenon` with our server, servers on the official SDKs, the reference server, and broken ones.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { partOf } from '../../suite/part.js';
import { serve } from '../run/serving.js';
import { brokenChecks, checksOf } from './checks.js';
import { commandOf, subjects } from './subjects.js';
import { runTenon } from './tenon.js';

/** Checks that a complete run makes. */
const fewest = 200;
/** Servers that are tried at the same time. */
const atOnce = 2;
/** Characters of the output of a failed check. */
const shown = 2_000;

const { values, positionals } = parseArgs({ options: { part: { type: 'string' } }, allowPositionals: true });
const [only] = positionals;
const isWhole = only === undefined && values.part === undefined;
const home = mkdtempSync(join(tmpdir(), 'tenon-interop-cli-'));
// `tenon card` reads it.
const manifest = {
  name: 'tried',
  version: '1.0.0',
  description: 'A server',
  mcpName: 'io.github.someone/tried',
};
writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
let checked = 0;
let wrong = 0;

try {
  const waiting = partOf(
    subjects.filter(({ title }) => title.includes(only ?? '')),
    values.part,
  );
  await Promise.all(Array.from({ length: atOnce }, () => tryNext(waiting)));
  if (only === undefined) for (const check of brokenChecks) await tryCheck('broken', check);
} finally {
  rmSync(home, { recursive: true, force: true });
}
if (isWhole && checked < fewest) {
  console.log(`RED only ${checked} checks were made, ${fewest} at least were expected`);
  wrong += 1;
}
console.log(`${checked} checks, ${wrong} red`);
process.exitCode = wrong === 0 ? 0 : 1;

/** @param {import('./subjects.js').Subject[]} waiting */
async function tryNext(waiting) {
  for (let subject = waiting.shift(); subject !== undefined; subject = waiting.shift())
    await trySubject(subject);
}

/** @param {import('./subjects.js').Subject} subject */
async function trySubject(subject) {
  const folder = join(home, subject.title.replaceAll(/\W+/g, '-'));
  mkdirSync(folder);
  const command = commandOf(subject);
  if (subject.transport === 'stdio') {
    const target = { server: [], tail: ['--', ...command], command, folder };
    for (const check of checksOf(subject, target)) await tryCheck(subject.title, check);
    return;
  }
  const [file = '', ...args] = command;
  const { addresses, end } = await serve({ command: file, args });
  const address = subject.transport === 'sse' ? (addresses.sse ?? '') : addresses.url;
  try {
    const target = { server: [address], tail: [], folder };
    for (const check of checksOf(subject, target)) await tryCheck(subject.title, check);
  } finally {
    await end();
  }
}

/**
 * @param {string} title
 * @param {import('./checks.js').Check} check
 */
async function tryCheck(title, { words, input, code = 0, stdout, stderr, also, ...check }) {
  const outcome = await runTenon(words, { home, input });
  const codes = typeof code === 'number' ? [code] : code;
  const problems = [];
  if (!codes.includes(outcome.code ?? -1))
    problems.push(`exit code ${outcome.code}, not ${codes.join(' or ')}`);
  if (stdout !== undefined && !stdout.test(outcome.stdout)) problems.push(`stdout is not like ${stdout}`);
  if (stderr !== undefined && !stderr.test(outcome.stderr)) problems.push(`stderr is not like ${stderr}`);
  if (/^\s+at .*\.js:\d+/m.test(outcome.stderr)) problems.push('stderr has a stack');
  if (problems.length === 0) problems.push(...[also?.()].flatMap((one) => one ?? []));
  checked += 1;
  if (problems.length === 0) {
    console.log(`ok  ${title}: ${check.title}`);
    return;
  }
  wrong += 1;
  console.log(`RED ${title}: ${check.title}: ${problems.join('; ')}`);
  console.log(`    tenon ${words.join(' ')}`.slice(0, shown));
  for (const [name, text] of Object.entries({ stdout: outcome.stdout, stderr: outcome.stderr }))
    if (text !== '') console.log(`    ${name}: ${text.slice(0, shown).trimEnd().replaceAll('\n', '\n    ')}`);
}
