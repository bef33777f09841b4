import { wrapped } from '@tenon/mcp-workbench/calls';
import {
  findRule,
  type LintFinding,
  type LintReport,
  type LintRule,
  type LintSeverity,
} from '@tenon/mcp-workbench/lint';
import type { Terminal } from '../terminal/terminal.js';
import { counted, paintSeverity, printDetail, printFinding, shortName } from '../terminal/texts.js';

/** Findings that say the same about more entries than this are printed once. */
const mostAlone = 3;
/** Names printed of the entries of such findings. */
const mostNames = 30;

/** Numbers of findings. */
interface Counts {
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** Errors and warnings as text. */
  readonly text: string;
}

/** Counts the findings of a report. */
export function countsOf({ findings }: LintReport): Counts {
  const count = (severity: LintSeverity) =>
    findings.filter((finding) => finding.severity === severity).length;
  const [errors, warnings, notes] = [count('error'), count('warning'), count('info')];
  return { errors, warnings, notes, text: `${counted(errors, 'error')} and ${counted(warnings, 'warning')}` };
}

/** Prints a report for people: the findings by entry, and a line with numbers. */
export function printReport(
  report: LintReport,
  { terminal, notes }: { terminal: Terminal; notes: boolean },
): void {
  const shown = report.findings.filter(({ severity }) => notes || severity !== 'info');
  const { single, repeated } = sortOut(shown);
  let entry: string | undefined;
  for (const finding of single) {
    const heading = headingOf(finding);
    if (heading !== entry) printHeading(heading, { terminal, isFirst: entry === undefined });
    entry = heading;
    print(finding, terminal);
  }
  for (const group of repeated) {
    printHeading(entriesOf(group), { terminal, isFirst: entry === undefined });
    entry = '';
    print(summaryOf(group), terminal);
    printNames(group, terminal);
    const more = report.omitted[group[0]?.rule ?? ''] ?? 0;
    if (more > 0) printDetail(`... and ${number(more)} more.`, terminal);
  }
  if (shown.length > 0) terminal.print('');
  printSummary(report, { terminal, notes });
}

interface SortedFindings {
  readonly single: readonly LintFinding[];
  /** Findings with the same message about several entries. */
  readonly repeated: readonly (readonly LintFinding[])[];
}

function sortOut(findings: readonly LintFinding[]): SortedFindings {
  const groups = new Map<string, LintFinding[]>();
  for (const finding of findings) {
    // Messages that differ in numbers or quoted texts only are the same.
    const key = `${finding.rule} ${finding.message.replace(/"(?:[^"\\]|\\.)*"|\d+/g, '*')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  const repeated = [...groups.values()].filter((group) => group.length > mostAlone);
  const grouped = new Set(repeated.flat());
  return { single: findings.filter((finding) => !grouped.has(finding)), repeated };
}

function entriesOf(group: readonly LintFinding[]): string {
  const kinds = new Set(group.map(({ place }) => place.kind));
  const [kind = 'entry'] = kinds;
  const count = new Set(group.map(({ place }) => `${place.kind} ${place.name}`)).size;
  const entries = kinds.size === 1 ? counted(count, kind) : `${number(count)} entries`;
  return group.length === count ? entries : `${entries}, ${counted(group.length, 'finding')}`;
}

/** Returns the number in which the message of each finding differs from the others, such as a length; undefined if there is none. */
function numbersOf(group: readonly LintFinding[]): readonly string[] | undefined {
  const found = group.map(
    ({ message }) => message.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/\d[\d,]*/g) ?? [],
  );
  const [first = []] = found;
  const index = first.findIndex((one, at) => found.some((numbers) => numbers[at] !== one));
  return index === -1 ? undefined : found.map((numbers) => numbers[index] ?? '');
}

/** Returns a finding for all of a group: with the sentence about the rule if their messages differ. */
function summaryOf(group: readonly LintFinding[]): LintFinding {
  const [first] = group;
  if (first === undefined) throw new Error('A group has findings.');
  const isSame = group.every(({ message }) => message === first.message);
  return { ...first, message: isSame ? first.message : (findRule(first.rule)?.about ?? ''), pointer: '' };
}

function printHeading(
  heading: string,
  { terminal, isFirst }: { terminal: Terminal; isFirst: boolean },
): void {
  if (!isFirst) terminal.print('');
  terminal.print(terminal.paint('bold', heading));
}

function printNames(group: readonly LintFinding[], terminal: Terminal): void {
  const numbers = numbersOf(group);
  const names = group.slice(0, mostNames).map(({ place, pointer }, index) => {
    const parameter = /^\/inputSchema\/properties\/([^/]+)/.exec(pointer)?.[1];
    const name = shortName(parameter === undefined ? place.name : `${place.name}.${parameter}`);
    return numbers === undefined ? name : `${name} (${numbers[index]})`;
  });
  const more = group.length > mostNames ? ` and ${number(group.length - mostNames)} more` : '';
  printDetail(`${[...new Set(names)].join(', ')}${more}`, terminal);
}

function headingOf({ place }: LintFinding): string {
  return place.name === '' ? place.kind : `${place.kind} ${shortName(place.name)}`;
}

function print({ severity, rule, message, pointer }: LintFinding, terminal: Terminal): void {
  printFinding(severity, `${rule}: ${message}${pointer === '' ? '' : ` ${pointer}`}`, terminal);
}

const clean = 'no problems';

function printSummary(report: LintReport, { terminal, notes }: { terminal: Terminal; notes: boolean }): void {
  const { server, counts, tokens } = report;
  const found = countsOf(report);
  const name = shortName(`${server.name} ${server.version}`.trim());
  const parts = [
    counted(counts.tools, 'tool'),
    counted(counts.prompts, 'prompt'),
    counted(counts.resources, 'resource'),
    counted(counts.templates, 'template'),
  ].filter((text) => !text.startsWith('0 '));
  const offer = `${parts.length === 0 ? 'nothing' : parts.join(', ')}; about ${number(tokens)} tokens`;
  const isClean = found.errors === 0 && found.warnings === 0;
  const verdict = isClean ? clean : found.text;
  const hidden = notes || found.notes === 0 ? '' : ` (${counted(found.notes, 'note')}: --notes)`;
  const line = `${name} (${server.revision}): ${offer}; ${verdict}${hidden}`;
  for (const text of wrapped(line, terminal.columns))
    terminal.print(text.replace(`; ${clean}`, `; ${terminal.paint('green', clean)}`));
}

/** Prints the tokens of the tools, the largest first. */
export function printCosts({ costs, tokens }: LintReport, terminal: Terminal): void {
  terminal.print('');
  const width = number(tokens).length;
  terminal.print(`${'tokens'.padStart(width)}  ${'share'.padStart(5)}  tool`);
  for (const { tool, tokens: own } of costs) {
    const share = tokens === 0 ? 0 : Math.round((own / tokens) * 100);
    terminal.print(
      `${number(own).padStart(Math.max(width, 6))}  ${`${share}%`.padStart(5)}  ${shortName(tool)}`,
    );
  }
}

/** Prints all rules. */
export function printRules(rules: readonly LintRule[], terminal: Terminal): void {
  const width = Math.max(...rules.map(({ id }) => id.length));
  for (const { id, severity, about } of rules) {
    const [first = '', ...rest] = wrapped(about, Math.max(terminal.columns - width - 11, 20));
    terminal.print(`${id.padEnd(width)}  ${paintSeverity(severity, severity.padEnd(7), terminal)}  ${first}`);
    for (const line of rest) terminal.print(' '.repeat(width + 11) + line);
  }
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
