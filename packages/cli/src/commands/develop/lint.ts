import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { WorkbenchError } from '@tenon/mcp-workbench';
import {
  callTools,
  checkLimit,
  checkSeverity,
  Deviations,
  type LintConfig,
  type LintReport,
  type LintSubject,
  lint,
  lintConfig,
  lintRules,
  planCalls,
  readSubject,
  sourceFinder,
  toGithub,
  toSarif,
} from '@tenon/mcp-workbench/lint';
import { countsOf, printCosts, printReport, printRules } from '../../content/lint-text.js';
import { ownVersion } from '../../context.js';
import { parseJson, readText } from '../../files/files.js';
import type { ServerOptions } from '../../server/server-options.js';
import { type ServerLine, withClient } from '../../server/with-client.js';
import type { Terminal } from '../../terminal/terminal.js';

/** The options of `tenon lint`. */
interface LintCommandOptions extends ServerOptions {
  readonly rule?: Readonly<Record<string, string>>;
  readonly limit?: Readonly<Record<string, string>>;
  readonly failOn?: 'error' | 'warning' | 'never';
  readonly format: 'text' | 'json' | 'sarif' | 'github';
  readonly notes?: true;
  readonly costs?: true;
  readonly call?: true;
  readonly calls?: string;
  readonly source?: string;
  readonly rules?: true;
}

type LintLine = ServerLine<LintCommandOptions>;

/**
 * Checks a server and prints the findings.
 * @throws WorkbenchError `findings` if there are findings of the severity that fails.
 */
export async function runLint(line: LintLine): Promise<void> {
  const { options, terminal } = line;
  if (options.rules === true) {
    const rows = lintRules.map(({ id, severity, about }) => ({ id, severity, about }));
    return options.json === true ? terminal.printJson(rows) : printRules(lintRules, terminal);
  }
  const packageJson = await readConfig('package.json', terminal);
  const tenonJson = await readConfig('tenon.json', terminal);
  const config = configOf(options, lintConfig({ packageJson, tenonJson }));
  const source = await sourceOf(config, terminal);
  const given = await readCalls(options, terminal);
  const deviations = new Deviations();
  let hasLogged = false;
  const onLog = () => {
    hasLogged = true;
  };
  const level = given === undefined ? {} : ({ logLevel: 'debug' } as const);
  const open = { cache: false, onError: deviations.onError, onLog, ...level } as const;
  const subject = await withClient({ ...line, open }, ({ client }) =>
    subjectOf(client, { line, given, deviations }),
  );
  const report = lint({ ...subject, hasLogged }, config);
  print(report, { line, source });
  failIfNeeded(report, config);
}

/** Returns the content of a file of the project; undefined if there is none. */
async function readConfig(name: string, terminal: Terminal): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(resolve(terminal.source.cwd, name), 'utf8');
  } catch {
    return undefined;
  }
  return parseJson(text, name);
}

function configOf(options: LintCommandOptions, config: LintConfig): LintConfig {
  const severities = Object.entries(options.rule ?? {}).map(
    ([id, severity]) => [id, checkSeverity(id, severity, '--rule')] as const,
  );
  const limits = Object.entries(options.limit ?? {}).map(
    ([name, value]) => [name, checkLimit(name, Number(value), '--limit')] as const,
  );
  return {
    ...config,
    severities: { ...config.severities, ...Object.fromEntries(severities) },
    limits: { ...config.limits, ...Object.fromEntries(limits) },
    failOn: options.failOn ?? config.failOn ?? 'error',
    ...(options.source !== undefined && { source: options.source }),
  };
}

type SourceFinder = ReturnType<typeof sourceFinder>;

async function sourceOf(config: LintConfig, terminal: Terminal): Promise<SourceFinder | undefined> {
  const { source } = config;
  return source === undefined ? undefined : sourceFinder(source, await readText(source, terminal));
}

async function readCalls(
  options: LintCommandOptions,
  terminal: Terminal,
): Promise<Record<string, unknown> | undefined> {
  if (options.calls === undefined) return options.call === true ? {} : undefined;
  const text = await readText(options.calls, terminal);
  const value = parseJson(text, options.calls);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new WorkbenchError('usage', `${options.calls} must have an object: {"tool": {"argument": "value"}}.`);
}

interface SubjectSource {
  readonly line: LintLine;
  readonly given: Record<string, unknown> | undefined;
  readonly deviations: Deviations;
}

async function subjectOf(
  client: Parameters<typeof readSubject>[0],
  { line, given, deviations }: SubjectSource,
): Promise<LintSubject> {
  const { terminal, signal, options } = line;
  terminal.status('Reading the lists ...');
  const hasCredentials = Object.keys(options.header).some((name) => /^(authorization|cookie)$/.test(name));
  const subject = await readSubject(client, { signal, hasCredentials, deviations });
  if (given === undefined) return subject;
  const calls = planCalls(subject.catalog, given);
  terminal.status(`Calling ${calls.length} tools ...`);
  return { ...subject, calls: await callTools(client, calls, { signal }) };
}

function print(
  report: LintReport,
  { line, source }: { line: LintLine; source: SourceFinder | undefined },
): void {
  const { terminal, options } = line;
  const format = options.json === true ? 'json' : options.format;
  const placeOf = source !== undefined && { placeOf: source };
  if (format === 'json') terminal.printJson(report);
  else if (format === 'sarif') terminal.printJson(toSarif(report, { version: ownVersion(), ...placeOf }));
  else if (format === 'github')
    for (const command of toGithub(report, source)) terminal.printWorkflowCommand(command);
  else {
    printReport(report, { terminal, notes: options.notes === true });
    if (options.costs === true) printCosts(report, terminal);
  }
}

function failIfNeeded(report: LintReport, { failOn }: LintConfig): void {
  const { errors, warnings, text } = countsOf(report);
  if (failOn === 'never' || (errors === 0 && (failOn === 'error' || warnings === 0))) return;
  throw new WorkbenchError('findings', `The check found ${text}.`, {
    hint: 'Turn a rule off with --rule ID=off, or set it in package.json under tenon.lint.rules.',
  });
}
