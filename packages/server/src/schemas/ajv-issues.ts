import type { ErrorObject } from 'ajv';
import { type Issue, issue, maxIssues } from './issues.js';

/** Ajv's errors as issues: each said once, at most ten, with the member that is missing or too much in the path. */
export function ajvIssues(errors: readonly ErrorObject[], value: unknown): Issue[] {
  const issues: Issue[] = [];
  const said = new Set<string>();
  for (const error of errors) {
    const found = toIssue(error, value);
    const text = `${found.path} ${found.message}`;
    if (said.has(text)) continue;
    said.add(text);
    issues.push(found);
    if (issues.length === maxIssues) break;
  }
  return issues;
}

function toIssue({ instancePath, keyword, params, message }: ErrorObject, value: unknown): Issue {
  const keys = keysOf(instancePath, value);
  switch (keyword) {
    case 'required':
      return issue([...keys, String(params.missingProperty)], 'is required');
    case 'additionalProperties':
      return issue([...keys, String(params.additionalProperty)], 'is not a known property');
    case 'unevaluatedProperties':
      return issue([...keys, String(params.unevaluatedProperty)], 'is not a known property');
    case 'enum':
      return issue(keys, `must be one of ${listed(params.allowedValues)}`);
    case 'const':
      return issue(keys, `must be ${JSON.stringify(params.allowedValue)}`);
    default:
      return issue(keys, message ?? `breaks the rule "${keyword}"`);
  }
}

/** A JSON pointer's keys, array indices as numbers. */
function keysOf(pointer: string, root: unknown): PropertyKey[] {
  const keys: PropertyKey[] = [];
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    keys.push(Array.isArray(value) ? Number(name) : name);
    value =
      typeof value === 'object' && value !== null ? (value as { [key: string]: unknown })[name] : undefined;
  }
  return keys;
}

function listed(values: unknown): string {
  if (!Array.isArray(values)) return 'the allowed values';
  const shown = values.slice(0, 20).map((value) => JSON.stringify(value));
  return shown.join(', ') + (values.length > shown.length ? ' …' : '');
}
