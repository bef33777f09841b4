import { WorkbenchError } from '@tenon/mcp-workbench';
import { wrapped } from '@tenon/mcp-workbench/calls';
import {
  type ConformanceReport,
  checkConformance,
  type ScenarioOutcome,
  type ScenarioStatus,
  type SuiteProgram,
} from '@tenon/mcp-workbench/conformance';
import { type CommandLine, clientInfo } from '../../context.js';
import { chosenServer } from '../../server/chosen-server.js';
import { noServerOptions } from '../../server/server-options.js';
import type { Style } from '../../terminal/paint.js';
import type { Terminal } from '../../terminal/terminal.js';
import { totalsText, widthBeside } from '../../terminal/texts.js';

/** The options of `tenon conformance`. */
interface ConformanceFlags {
  readonly suite?: string;
  readonly scenario?: string;
  readonly requirements?: string;
  readonly revision?: string;
  readonly expectedFailures?: string;
  readonly strict?: true;
  readonly output?: string;
  readonly node?: string;
  readonly suiteVersion?: string;
  /** False with `--no-download`. */
  readonly download: boolean;
  readonly config?: string;
  /** In seconds. */
  readonly timeout?: number;
  readonly json?: true;
}

type ConformanceLine = CommandLine<ConformanceFlags>;

/** Runs the suite, and prints a line for each scenario. @throws WorkbenchError `findings` if one fails. */
export async function runConformance(line: ConformanceLine): Promise<void> {
  const { terminal, signal, options } = line;
  const { config, download, node, suiteVersion, timeout, json, ...selection } = options;
  const server = { ...noServerOptions, ...(config !== undefined && { config }) };
  const { target } = await chosenServer(line.words, server, line);
  if (target.kind === 'command') {
    throw new WorkbenchError('usage', 'The conformance suite tests servers over HTTP only, not commands.', {
      hint: 'Serve the same server over HTTP at this machine, and give its URL.',
    });
  }
  terminal.status('Connecting ...');
  const report = await checkConformance(target, {
    ...selection,
    ...{ info: clientInfo(), signal, cwd: terminal.source.cwd },
    ...{ nodePath: node, version: suiteVersion, mayDownload: download },
    ...(timeout !== undefined && { timeout: timeout * 1_000 }),
    onProgram: (program) => announce(program, terminal),
    onScenario: (scenario) => terminal.status(`${scenario} ...`),
  });
  terminal.clearStatus();
  if (json) terminal.printJson(report);
  else for (const text of conformanceLines(report, terminal)) terminal.print(text);
  signal.throwIfAborted();
  if (!report.ok) throw new WorkbenchError('findings', `The server does not conform: ${totals(report)}.`);
}

/** Names the packages that are going to be downloaded. */
function announce({ downloads, version }: SuiteProgram, terminal: Terminal): void {
  if (downloads.length > 0)
    terminal.note(
      `Running ${downloads.join(' and ')} with npx, which downloads them unless its cache has them.`,
    );
  terminal.status(`Starting the conformance suite ${version} ...`);
}

const marks: Readonly<Record<ScenarioStatus, { readonly word: string; readonly style: Style }>> = {
  passed: { word: 'ok  ', style: 'green' },
  warned: { word: 'warn', style: 'yellow' },
  failed: { word: 'FAIL', style: 'red' },
  expected: { word: 'fail', style: 'dim' },
  skipped: { word: 'skip', style: 'dim' },
  inapplicable: { word: 'n/a ', style: 'dim' },
};

/** Returns a line for each scenario, with the problems below it, and the totals. */
function conformanceLines(report: ConformanceReport, terminal: Terminal): readonly string[] {
  const { scenarios, stale, suite, isInterrupted } = report;
  const shown = scenarios.filter(({ status }) => status !== 'inapplicable');
  const others = scenarios.filter(({ status }) => status === 'inapplicable');
  const width = Math.max(0, ...shown.map(({ scenario }) => scenario.length));
  return [
    ...shown.flatMap((outcome) => linesOf(outcome, width, terminal)),
    ...inapplicableLines(others, terminal),
    ...stale.map(
      (name) => `${terminal.paint('yellow', 'stale')} ${name} passes: delete it from the expected failures`,
    ),
    '',
    ...(isInterrupted ? ['interrupted: these scenarios had ended'] : []),
    `${totals(report)} (suite ${suite})`,
  ];
}

/** The space before further lines of a scenario. */
const indentation = ' '.repeat(6);

/** A line for each would hide the others: most servers have nothing of the suite's own server. */
function inapplicableLines(outcomes: readonly ScenarioOutcome[], terminal: Terminal): readonly string[] {
  const [first] = outcomes;
  if (first === undefined) return [];
  const names = outcomes.map(({ scenario }) => scenario).join(', ');
  const text = `not applicable: the server lacks things that these scenarios use, such as ${first.needs}; --strict counts them: ${names}`;
  const { word, style } = marks.inapplicable;
  const lines = wrapped(text, widthBeside(indentation.length, terminal));
  return lines.map((line, at) => (at === 0 ? `${terminal.paint(style, word)}  ${line}` : indentation + line));
}

function linesOf(outcome: ScenarioOutcome, width: number, terminal: Terminal): readonly string[] {
  const { scenario, status, passed, failed, warned, problems } = outcome;
  const { word, style } = marks[status];
  const counts = totalsText([
    [passed, 'passed'],
    [failed, 'failed'],
    [warned, 'warned'],
  ]);
  const shown = status === 'failed' || status === 'warned' ? problems : [];
  return [
    `${terminal.paint(style, word)}  ${scenario.padEnd(width)}  ${counts}`.trimEnd(),
    ...shown.flatMap((problem) =>
      wrapped(problem, widthBeside(indentation.length, terminal)).map((part) => indentation + part),
    ),
  ];
}

const words: readonly (readonly [ScenarioStatus, string])[] = [
  ['failed', 'failed'],
  ['warned', 'warned'],
  ['expected', 'failed as expected'],
  ['passed', 'passed'],
  ['skipped', 'skipped'],
  ['inapplicable', 'not applicable'],
];

/** Returns the number of scenarios of each status, such as `2 failed, 29 passed`. */
export function totals({ scenarios, stale }: ConformanceReport): string {
  const counts = words.map(
    ([status, word]) => [scenarios.filter((one) => one.status === status).length, word] as const,
  );
  return totalsText([...counts, [stale.length, 'stale']]) || 'no scenario has ended';
}
