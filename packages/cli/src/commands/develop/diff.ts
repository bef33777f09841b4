import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { WorkbenchError } from '@tenon/mcp-workbench';
import {
  type ComparedSource,
  compareSources,
  countChanges,
  type ServerChange,
} from '@tenon/mcp-workbench/recordings';
import type { CommandLine } from '../../context.js';
import { chosenServer, isScript, isUrl } from '../../server/chosen-server.js';
import type { ServerOptions } from '../../server/server-options.js';
import { connectionOf, withSignIn } from '../../server/with-client.js';
import type { Terminal } from '../../terminal/terminal.js';
import { counted } from '../../terminal/texts.js';

/** The options of `tenon diff`. */
interface DiffOptions extends ServerOptions {
  /** A recording: its calls are sent to both servers. */
  readonly calls?: string;
  readonly ignore?: readonly string[];
  readonly failOn: 'any' | 'breaking' | 'never';
}

type DiffLine = CommandLine<DiffOptions>;

/** Compares two sides and prints the changes. */
export async function runDiff(line: DiffLine): Promise<void> {
  const { options, terminal } = line;
  const { calls, ignore = [], failOn } = options;
  const [before, after] = await sidesOf(line);
  terminal.status('Comparing ...');
  const changes = await compareSources(before, after, {
    ignore,
    ...(calls !== undefined && { calls: resolve(terminal.source.cwd, calls) }),
    open: connectionOf(line),
  });
  terminal.clearStatus();
  const counts = countChanges(changes);
  if (options.json) terminal.printJson({ ...counts, changes });
  else terminal.print(describeChanges(changes, terminal));
  const { breaking, compatible } = counts;
  const failing = { any: breaking + compatible, breaking, never: 0 }[failOn];
  if (failing === 0) return;
  const kind = failOn === 'breaking' ? 'breaking ' : '';
  throw new WorkbenchError('findings', `${counted(failing, `${kind}change`)}.`, {
    hint: 'With --fail-on never the exit code is 0.',
  });
}

/** Returns the two sides: the words, and then the commands after each `--`. */
async function sidesOf(line: DiffLine): Promise<readonly [ComparedSource, ComparedSource]> {
  const { words, serverCommand, options, terminal } = line;
  const sides: ComparedSource[] = [];
  for (const word of words) {
    const file = resolve(terminal.source.cwd, word);
    if (!isUrl(word) && !isScript(word) && existsSync(file)) sides.push({ kind: 'file', file });
    else if (/\.(?:md|json)$/i.test(word) && !isUrl(word))
      throw new WorkbenchError('usage', `${word} does not exist.`);
    else {
      const { target } = await chosenServer([word], options, { ...line, serverCommand: [] });
      sides.push({ kind: 'server', target, use: (read) => withSignIn(target, line, read) });
    }
  }
  for (const command of commandsIn(serverCommand)) {
    const { target } = await chosenServer([], options, { ...line, serverCommand: command });
    sides.push({ kind: 'server', target });
  }
  const [before, after, ...others] = sides;
  if (before === undefined || after === undefined || others.length > 0) {
    throw new WorkbenchError(
      'usage',
      `Two sides are compared, and ${sides.length === 1 ? 'only 1 is' : `${sides.length} are`} named.`,
      {
        hint: 'Write: tenon diff BEFORE AFTER. A command comes after --, and two commands are: -- node old.js -- node new.js',
      },
    );
  }
  requireOneOrigin([before, after], options);
  return [before, after];
}

/** Requires that a header of the command line, which may be a secret of one server, is not sent to another server. */
function requireOneOrigin(sides: readonly ComparedSource[], { header }: DiffOptions): void {
  const [name] = Object.keys(header);
  const origins = new Set(
    sides.flatMap((side) =>
      side.kind === 'server' && side.target.kind === 'url' ? [new URL(side.target.url).origin] : [],
    ),
  );
  if (name === undefined || origins.size < 2) return;
  throw new WorkbenchError('usage', `The header "${name}" would be sent to ${[...origins].join(' and ')}.`, {
    hint: 'Sign in with "tenon login", or name the servers in a file with headers of their own: --config FILE.',
  });
}

function commandsIn(words: readonly string[]): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const word of words) {
    if (word === '--') commands.push([]);
    else commands.at(-1)?.push(word);
  }
  return commands.filter(({ length }) => length > 0);
}

const headings: Readonly<Record<ServerChange['subject'], string>> = {
  server: 'server',
  capability: 'capabilities',
  instructions: 'instructions',
  tool: 'tools',
  resource: 'resources',
  template: 'resource templates',
  prompt: 'prompts',
  result: 'results',
};

function describeChanges(changes: readonly ServerChange[], terminal: Terminal): string {
  const { paint } = terminal;
  if (changes.length === 0) return `${paint('green', 'ok')} no differences`;
  const rows: string[] = [];
  const isOrder = ({ change }: ServerChange) => change === 'reordered';
  for (const [subject, heading] of Object.entries(headings)) {
    const own = changes.filter((change) => change.subject === subject && !isOrder(change));
    if (own.length === 0) continue;
    rows.push(paint('bold', heading), ...own.flatMap((change) => describeChange(change, terminal)), '');
  }
  const reordered = changes.filter(isOrder);
  if (reordered.length > 0) {
    rows.push(paint('bold', 'order'));
    for (const { subject, details } of reordered)
      rows.push(`  ~ ${headings[subject]}: ${details[0]?.text ?? ''}`);
    rows.push('');
  }
  const { breaking, compatible } = countChanges(changes);
  rows.push(
    [
      breaking > 0 ? paint('red', counted(breaking, 'breaking change')) : counted(0, 'breaking change'),
      counted(compatible, 'compatible change'),
    ].join(', '),
  );
  return rows.join('\n');
}

function describeChange(change: ServerChange, { paint, columns }: Terminal): readonly string[] {
  const { name, details } = change;
  const mark = {
    added: paint('green', '+'),
    removed: paint('red', '-'),
    changed: paint('yellow', '~'),
    reordered: '~',
  }[change.change];
  const label = (breaking: boolean) => (breaking ? `  ${paint('red', 'breaking')}` : '');
  // The heading says the same as the name of the only entry.
  if (change.subject === 'server' || change.subject === 'instructions')
    return details.map(({ path, text }) => `  ${mark} ${path === '' ? '' : `${path} `}${text}`);
  const head = name.slice(0, columns - 16);
  return [
    `  ${mark} ${head}${details.length === 0 ? label(change.breaking) : ''}`,
    ...details.map(({ path, text, breaking }) => {
      const place = path === '' ? '' : `${path} `;
      return `      ${place}${text}${label(breaking)}`;
    }),
  ];
}
