import { didYouMean } from '@tenon/foundation';
import type { SchemaObject } from '@tenon/mcp-client';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { PublishFinding } from './findings.js';

/** A document that is checked by a schema. */
export interface CheckedDocument {
  /** The name of the file. */
  readonly file: string;
  readonly value: unknown;
  readonly schema: SchemaObject;
  /** The severity of members that the format does not have. */
  readonly unknownMembers: PublishFinding['severity'];
}

/** The most findings of one document. */
const most = 100;

/** Checks a document by its schema. */
export async function checkDocument(document: CheckedDocument): Promise<readonly PublishFinding[]> {
  const validate = await compiled(document.schema);
  if (validate(document.value)) return [];
  const errors = (validate.errors ?? []).filter(isOfInterest).slice(0, most);
  const findings = errors.map((error) => findingOf(error, document));
  const seen = new Set<string>();
  return findings.filter(({ path, message }) => {
    const key = `${path} ${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const checks = new Map<SchemaObject, ValidateFunction>();

async function compiled(schema: SchemaObject): Promise<ValidateFunction> {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    verbose: true,
    discriminator: true,
    logger: false,
  });
  ajv.addFormat('uri', { validate: (value: string) => URL.canParse(value) });
  ajv.addFormat('email', { validate: (value: string) => /^[^\s@]+@[^\s@]+$/.test(value) });
  const validate = ajv.compile(schema);
  checks.set(schema, validate);
  return validate;
}

/** False for errors that only say that another error was inside a choice. */
function isOfInterest({ keyword }: ErrorObject): boolean {
  return keyword !== 'oneOf' && keyword !== 'anyOf' && keyword !== 'not';
}

function findingOf(error: ErrorObject, { file, unknownMembers }: CheckedDocument): PublishFinding {
  const { instancePath: path, keyword, params, parentSchema } = error;
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    const known = Object.keys((parentSchema?.properties ?? {}) as object);
    return {
      ...{ rule: 'unknown-member', severity: unknownMembers, file, path: `${path}/${pointer(name)}` },
      message: `The format has no member "${name}".`,
      fix: ['Remove it.', didYouMean(name, known)].filter((part) => part !== undefined).join(' '),
    };
  }
  const { message, fix } = textsOf(error);
  return { rule: 'schema', severity: 'error', file, path, message, fix };
}

function textsOf({ keyword, params, data, message = '', instancePath }: ErrorObject): {
  readonly message: string;
  readonly fix: string;
} {
  const length = typeof data === 'string' ? data.length : 0;
  switch (keyword) {
    case 'required':
      return {
        message: `The member "${params.missingProperty}" is missing.`,
        fix: `Add "${params.missingProperty}".`,
      };
    case 'maxLength':
      return {
        message: `The text has ${length} characters; ${params.limit} are allowed.`,
        fix: `Shorten it to ${params.limit} characters.`,
      };
    case 'minLength':
      return { message: 'The text is too short.', fix: `Write at least ${params.limit} characters.` };
    case 'enum':
      return {
        message: `${shown(data)} is not allowed.`,
        fix: `Write one of: ${(params.allowedValues as readonly unknown[]).join(', ')}.`,
      };
    case 'const':
      return { message: `${shown(data)} is not allowed.`, fix: `Write ${shown(params.allowedValue)}.` };
    case 'pattern':
      return {
        message: `${shown(data)} does not have the form of this member.`,
        fix: instancePath === '/name' ? namePattern : `It must match ${params.pattern}.`,
      };
    case 'format':
      return {
        message: `${shown(data)} is not a valid ${params.format}.`,
        fix: `Write a valid ${params.format}.`,
      };
    case 'discriminator':
      return {
        message: 'The member "type" is missing or unknown.',
        fix: 'Write one of the types of the format.',
      };
    case 'type':
      return { message: 'The value has the wrong type.', fix: `Write a value of the type ${params.type}.` };
    default:
      return { message: `The value ${message}.`, fix: 'Change it as the format requires.' };
  }
}

const namePattern =
  'Write a namespace, one slash and a name of letters, digits, dots, dashes and underscores, such as io.github.user/weather.';

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function pointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
