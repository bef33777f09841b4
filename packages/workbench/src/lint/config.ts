import { isObject, type UnknownObject } from '@tenon/json-schema/structure';
import { WorkbenchError } from '../failures/workbench-error.js';
import { findRule } from './rules/all.js';
import { defaultLintLimits, type LintLimits, type LintSeverity } from './rules/rule.js';

/** The least severity of a finding that makes the check fail. */
type FailOn = 'error' | 'warning' | 'never';

/** Options of `lint`. */
export interface LintOptions {
  /** The severities of rules by id; `off` leaves a rule out. */
  readonly severities?: Readonly<Record<string, LintSeverity | 'off'>>;
  readonly limits?: Partial<LintLimits>;
}

/** The settings of a project: `tenon.lint` of package.json, or `lint` of tenon.json. */
export interface LintConfig extends LintOptions {
  readonly failOn?: FailOn;
  /** The file that defines the server, for the places of findings. */
  readonly source?: string;
}

/**
 * Returns the settings of a project. Those of tenon.json win over those of package.json, setting by setting.
 * @param files - the content of the two files; undefined for a file that is not there.
 * @throws WorkbenchError `usage` that names the file and the setting that is wrong.
 */
export function lintConfig(files: {
  readonly packageJson: unknown;
  readonly tenonJson: unknown;
}): LintConfig {
  const { packageJson, tenonJson } = files;
  const tenon = isObject(packageJson) ? packageJson.tenon : undefined;
  const first = checkConfig(isObject(tenon) ? tenon.lint : undefined, 'package.json#tenon.lint');
  const second = checkConfig(isObject(tenonJson) ? tenonJson.lint : undefined, 'tenon.json#lint');
  return {
    ...first,
    ...second,
    severities: { ...first.severities, ...second.severities },
    limits: { ...first.limits, ...second.limits },
  };
}

function checkConfig(value: unknown, where: string): LintConfig {
  if (value === undefined) return {};
  if (!isObject(value)) throw wrong(where, 'must be an object');
  for (const key of Object.keys(value))
    if (!['rules', 'limits', 'failOn', 'source'].includes(key))
      throw wrong(`${where}.${key}`, 'is not a setting: there are rules, limits, failOn and source');
  const { rules = {}, limits = {}, failOn, source } = value;
  if (failOn !== undefined && !isFailOn(failOn))
    throw wrong(`${where}.failOn`, 'must be error, warning or never');
  if (source !== undefined && typeof source !== 'string') throw wrong(`${where}.source`, 'must be a path');
  return {
    severities: Object.fromEntries(
      membersOf(rules, `${where}.rules`).map(([id, severity]) => [
        id,
        checkSeverity(id, severity, `${where}.rules`),
      ]),
    ),
    limits: Object.fromEntries(
      membersOf(limits, `${where}.limits`).map(([name, limit]) => [
        name,
        checkLimit(name, limit, `${where}.limits`),
      ]),
    ),
    ...(failOn !== undefined && { failOn }),
    ...(source !== undefined && { source }),
  };
}

function membersOf(value: unknown, where: string): readonly [string, unknown][] {
  if (!isObject(value)) throw wrong(where, 'must be an object');
  return Object.entries(value satisfies UnknownObject);
}

/** Returns the severity of a rule. @throws WorkbenchError `usage` for an unknown rule or severity. */
export function checkSeverity(id: string, severity: unknown, where: string): LintSeverity | 'off' {
  if (findRule(id) === undefined)
    throw new WorkbenchError('usage', `${where}: there is no rule "${id}".`, {
      hint: '"tenon lint --rules" lists the rules.',
    });
  if (severity === 'off' || severity === 'info' || severity === 'warning' || severity === 'error')
    return severity;
  throw wrong(`${where}: the severity of ${id}`, 'must be off, info, warning or error');
}

/** Returns a limit. @throws WorkbenchError `usage` for an unknown limit, or a value that is not a whole number. */
export function checkLimit(name: string, value: unknown, where: string): number {
  if (!Object.hasOwn(defaultLintLimits, name))
    throw new WorkbenchError('usage', `${where}: there is no limit "${name}".`, {
      hint: `The limits are ${Object.keys(defaultLintLimits).join(', ')}.`,
    });
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrong(`${where}: the limit ${name}`, 'must be a whole number from 0 on');
}

function isFailOn(value: unknown): value is FailOn {
  return value === 'error' || value === 'warning' || value === 'never';
}

function wrong(where: string, problem: string): WorkbenchError {
  return new WorkbenchError('usage', `${where} ${problem}.`);
}
