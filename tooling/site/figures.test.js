import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readPage } from './snippets.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** @type {{ results: { row: string, depth: number, contender: string, ownNode: boolean, cpu: { median: number } }[], footprint: { id: string, contender: string, value: number }[] }} */
const bench = JSON.parse(readPage('docs/bench/bench.json'));
const pages = ['README.md', 'docs/README.md'];
const comparison = readPage('README.md')
  .split('\n')
  .filter((line) => line.startsWith('| '));

describe('figures of the first pages', () => {
  test.each(pages)('%s has the CPU of a call from the benchmark', (page) => {
    const [tenon, official, transport, fastmcp] = [
      'tenon',
      'official-2',
      'official-2-transport',
      'fastmcp',
    ].map(cpuOf);
    const text = readPage(page).replace(/\s+/g, ' ');
    expect(text).toContain(`${tenon?.toFixed(1)} times`);
    expect(text).toContain(
      `SDK 2 takes ${official?.toFixed(0)}, or ${transport?.toFixed(0)} with a transport for each request, and FastMCP ${fastmcp?.toFixed(0)}`,
    );
  });

  test.each([
    ['Tenon', 'tenon'],
    ['official SDK', 'official-2'],
    ['FastMCP', 'fastmcp'],
    ['tmcp', 'tmcp'],
    ['mcp-lite', 'mcp-lite'],
  ])('the comparison has the CPU of %s from the benchmark', (name, contender) => {
    const row = comparison.find((line) => line.startsWith(`| ${name} `) || line.startsWith(`| [${name}]`));
    const cpu = cpuOf(contender);
    expect(row?.split(' | ')[2]).toBe(cpu < 10 ? cpu.toFixed(1) : cpu.toFixed(0));
  });

  test('the comparison has the memory of sessions from the benchmark', () => {
    const kilobytes = (/** @type {string} */ contender) =>
      (footprintOf('idle-sessions', contender) / 1000).toFixed(1);
    expect(comparison.join('\n')).toContain(`(${kilobytes('tmcp')} kB, Tenon ${kilobytes('tenon')})`);
  });

  test('name the size of a bundle that its decision record has', () => {
    const [, now = ''] =
      /^\| server over fetch \| [\d.]+ \| [\d.]+ \| ([\d.]+) \|/m.exec(
        readPage('docs/decisions/020-sizes-against-their-targets.md'),
      ) ?? [];
    expect(comparison.join('\n')).toContain(`a smaller bundle (20 KiB, Tenon ${Number(now).toFixed(0)})`);
    expect(readPage('docs/guide/getting-started/when-not.md')).toContain(
      `is ${Number(now).toFixed(0)} KiB with Tenon`,
    );
  });

  test.each(pages)('%s names no more requirements than tests show', (page) => {
    const [, count = ''] =
      /More than ([\d,]+) (?:requirements|sentences)/i.exec(readPage(page).replace(/\s+/g, ' ')) ?? [];
    expect(Number(count.replace(',', ''))).toBeGreaterThan(0);
    expect(shownRequirements()).toBeGreaterThan(Number(count.replace(',', '')));
  });

  test('name the memory of a session that the page on scale has', () => {
    expect(readPage('docs/README.md')).toContain('326 bytes');
    expect(readPage('docs/internals/scale.md')).toContain('| an idle session | 326 B');
  });

  test('name the round trips that the page on rates has', () => {
    expect(readPage('docs/README.md')).toContain('**14 round trips for 1,000 calls.**');
    expect(readPage('docs/guide/servers/limits.md')).toContain(
      '| round trips for 1,000 calls in a row, with the default rate | 14 at one process |',
    );
  });
});

/** @param {string} contender */
function cpuOf(contender) {
  const found = bench.results.find(
    (result) =>
      result.row === 'http-sessionless' &&
      result.depth === 64 &&
      result.ownNode &&
      result.contender === contender,
  );
  return found?.cpu.median ?? Number.NaN;
}

/**
 * @param {string} id
 * @param {string} contender
 */
function footprintOf(id, contender) {
  return (
    bench.footprint.find((figure) => figure.id === id && figure.contender === contender)?.value ?? Number.NaN
  );
}

/** The rows that `pnpm requirements` demands a test for. */
function shownRequirements() {
  const folder = join(root, 'tooling/requirements/rows');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).rows)
    .filter((row) => row.later === undefined).length;
}
