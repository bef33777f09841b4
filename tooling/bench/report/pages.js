import { aboutLines, captionOf, warningsOf } from './about.js';
import { markdownTable } from './table.js';

/** @typedef {import('./about.js').About} About */

/**
 * Returns the page with all tables.
 *
 * @param {About} about
 * @param {readonly import('./sheets.js').Sheet[]} sheets
 * @param {readonly string[]} verdicts
 */
export function benchPage(about, sheets, verdicts) {
  return `# Bench

Made by \`${about.command}\` on ${about.date}; do not edit. [bench.json](bench.json) holds the same figures for programs.

${chartLink('bench.svg')}

Every figure is a ratio to the floor of the same round, in one process per contender that is kept through all rounds: its median, and its
lowest and highest round. The floor is the same work without any framework and without any check. Absolute times are not shown, since they say nothing
about another machine. CPU counts more than throughput, because throughput hides differences: the driver of a server becomes
the slower of the two when the server is fast.

The tables of clusters are ratios to one process of Tenon that keeps its sessions in memory; their notes name the times of that process.
[Scale](../internals/scale.md#calls-in-several-processes) explains them.

\`\`\`
${aboutLines(about).join('\n')}
\`\`\`

## Verdicts

${verdicts.map((line) => line.replace(/^( *)/, '$1- ')).join('\n')}

## Tables

${sheets.map(markdownTable).join('\n')}`;
}

/**
 * Returns the section for the README at the root.
 *
 * @param {About} about
 */
export function readmeSection(about) {
  return `${chartLink('docs/bench/bench.svg')}

${[captionOf(about), ...warningsOf(about)].join('. ')}. [All tables](docs/bench/README.md), the newest Node LTS and the footprint among them.`;
}

/** @param {string} path */
function chartLink(path) {
  return `![CPU per request of Tenon and other frameworks, as multiples of the same work without any framework](${path})`;
}
