import type { ErrorObject } from 'ajv';
import type { ValueIssue } from './validator.js';

/** Returns Ajv's errors as issues: without duplicates, a limited number, with the missing or additional member in the path. */
export function ajvIssues(errors: readonly ErrorObject[], value: unknown, most: number): ValueIssue[] {
  const issues = new Map<string, ValueIssue>();
  for (const error of errors) {
    const found = toIssue(error, value);
    issues.set(JSON.stringify(found), found);
    if (issues.size === most) break;
  }
  return [...issues.values()];
}

function toIssue({ instancePath, keyword, params, message }: ErrorObject, value: unknown): ValueIssue {
  const keys = keysOf(instancePath, value);
  switch (keyword) {
    case 'required':
      return { path: [...keys, String(params.missingProperty)], message: 'is required' };
    case 'additionalProperties':
      return { path: [...keys, String(params.additionalProperty)], message: 'is not a known property' };
    case 'unevaluatedProperties':
      return { path: [...keys, String(params.unevaluatedProperty)], message: 'is not a known property' };
    case 'enum':
      return { path: keys, message: `must be one of ${listed(params.allowedValues)}` };
    case 'const':
      return { path: keys, message: `must be ${JSON.stringify(params.allowedValue)}` };
    default:
      return { path: keys, message: message ?? `breaks the rule "${keyword}"` };
  }
}

/** Returns the keys of a JSON pointer, array indices as numbers. */
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
