import type { ConformanceReport, ScenarioOutcome, ScenarioStatus } from '@tenon/mcp-workbench/conformance';
import type { Style } from '../../terminal/paint.js';
import type { Terminal } from '../../terminal/terminal.js';
import { wrap } from '../../terminal/wrap.js';

const marks: Readonly<Record<ScenarioStatus, { readonly word: string; readonly style: Style }>> = {
  passed: { word: 'ok  ', style: 'green' },
  warned: { word: 'warn', style: 'yellow' },
  failed: { word: 'FAIL', style: 'red' },
  expected: { word: 'fail', style: 'dim' },
  skipped: { word: 'skip', style: 'dim' },
  inapplicable: { word: 'n/a ', style: 'dim' },
};

/** Returns a line for each scenario, with the problems below it, and the totals. */
export function conformanceLines(report: ConformanceReport, terminal: Terminal): readonly string[] {
  const { scenarios, stale, suite, isInterrupted } = report;
  const width = Math.max(0, ...scenarios.map(({ scenario }) => scenario.length));
  return [
    ...scenarios.flatMap((outcome) => linesOf(outcome, width, terminal)),
    ...stale.map(
      (name) => `${terminal.paint('yellow', 'stale')} ${name} passes: delete it from the expected failures`,
    ),
    '',
    ...(isInterrupted ? ['interrupted: these scenarios had ended'] : []),
    `${totals(report)} (suite ${suite})`,
    ...(scenarios.some(({ status }) => status === 'inapplicable')
      ? wrap(
          "n/a: the scenario needs a thing that only the suite's own kind of server has; --strict counts it.",
          78,
        )
      : []),
  ];
}

function linesOf(outcome: ScenarioOutcome, width: number, { paint, columns }: Terminal): readonly string[] {
  const { scenario, status, passed, failed, warned, problems, needs } = outcome;
  const { word, style } = marks[status];
  const counts = [
    ...(passed > 0 ? [`${passed} passed`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(warned > 0 ? [`${warned} warned`] : []),
  ].join(', ');
  const text = needs === undefined ? counts : `needs ${needs}`;
  const shown = status === 'failed' || status === 'warned' ? problems : [];
  return [
    `${paint(style, word)}  ${scenario.padEnd(width)}  ${text}`.trimEnd(),
    ...shown.flatMap((problem) => wrap(problem, Math.max(30, columns - 6)).map((part) => `      ${part}`)),
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
  const counts = words
    .map(([status, word]) => [scenarios.filter((one) => one.status === status).length, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`);
  const old = stale.length === 0 ? [] : [`${stale.length} stale`];
  return [...counts, ...old].join(', ') || 'no scenario has ended';
}
