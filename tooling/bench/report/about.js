import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { contenders } from '../matrix/contenders.js';

/** The packages that the rows of clusters need beside those of the contenders. */
const ofClusters = ['@tenon/mcp-state-redis', '@tmcp/session-manager-redis'];

/** The share of the cores that other programs may take before the report warns. */
const bearable = 0.1;

/**
 * The conditions of a run, without which its figures mean nothing.
 *
 * @typedef {object} About
 * @property {string} date
 * @property {string} command
 * @property {string} node the version that targets are judged on
 * @property {string} newestNode the newest version, or the reason that it is missing
 * @property {string} machine
 * @property {boolean} pinned true if measured processes have a core to themselves
 * @property {number} busy the greatest share of all cores that other programs took between rows
 * @property {number} rounds
 * @property {boolean} profiled true if CPU profiles were written, which distorts all figures
 * @property {Record<string, string>} versions of the installed packages
 */

/**
 * @param {Pick<About, 'command' | 'pinned' | 'busy' | 'rounds' | 'profiled'> & { newest: string | undefined }} given
 * @returns {About}
 */
export function aboutThis({ newest, ...given }) {
  const [first, ...more] = cpus();
  const processor = first?.model.trim().replaceAll(/\s+/g, ' ') ?? 'unknown processor';
  return {
    ...given,
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    newestNode: newest ?? 'not installed for this platform',
    machine: `${processor}, ${more.length + 1} cores, ${process.platform} ${process.arch}`,
    versions: versions(),
  };
}

/**
 * @param {About} about
 * @returns {string[]}
 */
export function aboutLines(about) {
  const { node, newestNode, machine, rounds, versions } = about;
  const width = Math.max(...Object.values(contenders).map(({ label }) => label.length)) + 2;
  return [
    `Node ${node}; newest LTS beside it: ${newestNode}`,
    machine,
    `${rounds} rounds, all contenders in turn in each`,
    ...Object.values(contenders).flatMap(({ label, packages }) =>
      packages.length === 0
        ? []
        : [label.padEnd(width) + packages.map((name) => `${name} ${versions[name]}`).join(', ')],
    ),
    `${'clusters'.padEnd(width)}${ofClusters.map((name) => `${name} ${versions[name]}`).join(', ')}`,
    `${'driver'.padEnd(width)}undici ${versions.undici}`,
    about.pinned ? 'driver and measured process have a core each' : 'NOT PINNED to cores: figures vary',
    ...warningsOf(about),
  ];
}

/**
 * Returns warnings about conditions that distort the figures of a run.
 *
 * @param {Pick<About, 'busy' | 'profiled'>} about
 * @returns {string[]}
 */
export function warningsOf({ busy, profiled }) {
  const share = Math.round(busy * 100);
  return [
    ...(busy < bearable ? [] : [`BUSY: other programs took up to ${share} % of the cores: figures vary`]),
    ...(profiled ? ['PROFILED: these figures are not reliable'] : []),
  ];
}

/** @param {About} about */
export function captionOf({ node, machine, date, command, rounds }) {
  return `Node ${node} · ${machine} · ${date} · medians of ${rounds} rounds · ${command}`;
}

/** @returns {Record<string, string>} */
function versions() {
  const names = ['undici', ...ofClusters, ...Object.values(contenders).flatMap(({ packages }) => packages)];
  return Object.fromEntries([...new Set(names)].map((name) => [name, versionOf(name)]));
}

/** @param {string} name */
function versionOf(name) {
  try {
    const path = new URL(`../node_modules/${name}/package.json`, import.meta.url);
    return String(JSON.parse(readFileSync(path, 'utf8')).version);
  } catch {
    return 'not installed';
  }
}
