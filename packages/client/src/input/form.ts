import type { FormField, FormSchema, FormValue, UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';

/** The values of a filled-in form. */
export type FormContent = { readonly [field: string]: FormValue };

/** The content with the form's defaults for fields that were left out; a default that breaks its own field is not used. */
export function withFormDefaults(schema: FormSchema, content: FormContent = {}): FormContent {
  const added: [string, FormValue][] = [];
  for (const [name, field] of Object.entries(schema.properties)) {
    if (Object.hasOwn(content, name) || field.default === undefined) continue;
    if (fieldProblem(field, field.default) === undefined) added.push([name, field.default as FormValue]);
  }
  return added.length === 0 ? content : Object.fromEntries([...Object.entries(content), ...added]);
}

/** Returns the problem with the content of a form, starting with the name of the field; undefined if the content is valid. */
export function formProblem(schema: FormSchema, content: UnknownObject): string | undefined {
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(content, name)) return `${name}: is required`;
  }
  for (const [name, value] of Object.entries(content)) {
    const field = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    const problem = field === undefined ? 'is not a field of the form' : fieldProblem(field, value);
    if (problem !== undefined) return `${name}: ${problem}`;
  }
  return undefined;
}

function fieldProblem(field: FormField, value: unknown): string | undefined {
  switch (field.type) {
    case 'string':
      return stringProblem(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'expected true or false';
    case 'array':
      return listProblem(field, value);
    default:
      return numberProblem(field, value);
  }
}

function stringProblem(field: FormField, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'expected a string';
  const choices = choicesOf(field, 'oneOf');
  if (choices !== undefined && !choices.includes(value)) return notAmong(choices);
  const length = [...value].length;
  if (typeof field.minLength === 'number' && length < field.minLength)
    return `is shorter than ${field.minLength}`;
  if (typeof field.maxLength === 'number' && length > field.maxLength)
    return `is longer than ${field.maxLength}`;
  const format = typeof field.format === 'string' ? formats.get(field.format) : undefined;
  return format === undefined || format(value) ? undefined : `is not a valid ${String(field.format)}`;
}

function numberProblem(field: FormField, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'expected a number';
  if (field.type === 'integer' && !Number.isInteger(value)) return 'expected an integer';
  if (typeof field.minimum === 'number' && value < field.minimum) return `is below ${field.minimum}`;
  if (typeof field.maximum === 'number' && value > field.maximum) return `is above ${field.maximum}`;
  return undefined;
}

function listProblem(field: FormField, value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'expected a list';
  if (typeof field.minItems === 'number' && value.length < field.minItems)
    return `has fewer than ${field.minItems} items`;
  if (typeof field.maxItems === 'number' && value.length > field.maxItems)
    return `has more than ${field.maxItems} items`;
  const choices = isObject(field.items) ? choicesOf(field.items, 'anyOf') : undefined;
  for (const item of value) {
    if (typeof item !== 'string') return 'expected a list of strings';
    if (choices !== undefined && !choices.includes(item)) return notAmong(choices);
  }
  return undefined;
}

function choicesOf(schema: UnknownObject, titled: 'oneOf' | 'anyOf'): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  const options = schema[titled];
  return Array.isArray(options)
    ? options.map((option) => (isObject(option) ? option.const : undefined))
    : undefined;
}

function notAmong(choices: readonly unknown[]): string {
  return `expected one of ${choices
    .slice(0, 20)
    .map((choice) => JSON.stringify(choice))
    .join(', ')}`;
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const timePattern = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

const formats: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ['email', isEmail],
  ['uri', isUri],
  ['date', (value: string) => dayPattern.test(value) && isDay(value)],
  [
    'date-time',
    (value: string) =>
      timePattern.test(value) && isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)),
  ],
]);

function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@');
  return at > 0 && at < value.length - 1 && !/\s/.test(value);
}

function isUri(value: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(value);
}

// The engine takes the 31st of February for a day in March.
function isDay(value: string): boolean {
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
