import type { LibraryBounds } from '@tenon/json-schema';
import {
  type ElicitResult,
  type ElicitUrlParams,
  ErrorCode,
  type FormField,
  type FormSchema,
  RpcError,
  type SchemaObject,
  SessionError,
} from '@tenon/mcp-protocol';
import { isObject, isUrl } from '@tenon/mcp-protocol/internal';
import { noteRaised } from '../run/input-promise.js';
import {
  type CompiledSchema,
  compileSchema,
  describeIssues,
  type InferOutput,
  type Schema,
  type Validator,
} from '../schemas/schema.js';
import { fieldProblem, pageProblem, showsLink } from './elicitation-safety.js';

/** A form for the user. */
export interface ElicitForm<S extends Schema> {
  readonly message: string;
  /** A flat object of strings, numbers, booleans, choices and lists of choices. */
  readonly schema: S;
}

/** A page to send the user to. */
export interface ElicitPage {
  readonly message: string;
  readonly url: string;
  /**
   * The id of the elicitation for `server.elicitationCompleted`, in the revision with such ids. Default: random, so that
   * it cannot be guessed. An id of your own must be as hard to guess.
   */
  readonly elicitationId?: string;
}

/** The user's answer. */
export type Elicited<S extends Schema> =
  | { readonly action: 'accept'; readonly content: InferOutput<S> }
  | { readonly action: 'decline' | 'cancel'; readonly content?: undefined };

/** The answer of a user who was sent to a page. Accept means that they agreed to open it, not that they visited it. */
export interface ElicitedPage {
  readonly action: ElicitResult['action'];
  readonly content?: undefined;
}

/** A form ready to send, and the check of its answer. */
export interface CompiledForm {
  readonly form: FormSchema;
  readonly schema: CompiledSchema;
  readonly validator: Validator | undefined;
  readonly bounds?: LibraryBounds | undefined;
}

const compiledForms = new WeakMap<object, CompiledForm>();

/** The params of a form. */
export interface FormUse {
  readonly key: string;
  /** See `ServerOptions.validator`. */
  readonly validator: Validator | undefined;
  readonly bounds?: LibraryBounds | undefined;
}

/**
 * Returns the form of a schema, made once per schema object.
 * @throws TypeError if the specification has no form for the schema, or it requests a secret.
 */
export function formFor(schema: Schema, { key, validator, bounds }: FormUse): CompiledForm {
  let compiled = compiledForms.get(schema);
  if (compiled === undefined || compiled.validator !== validator || compiled.bounds !== bounds) {
    const owner = `elicitation "${key}"`;
    const checked = compileSchema(schema, { owner, direction: 'input', validator, bounds });
    compiled = { form: toForm(checked.json, key), schema: checked, validator, bounds };
    compiledForms.set(schema, compiled);
  }
  return compiled;
}

/**
 * Returns the params that send the user to a page.
 * @param elicitationId - the id for the client, in the revision with such ids.
 * @throws TypeError if the URL is not absolute, or users must not be sent to it.
 */
export function pageFor({ message, url }: ElicitPage, key: string, elicitationId?: string): ElicitUrlParams {
  if (!isUrl(url)) {
    const given = JSON.stringify(url);
    throw new TypeError(
      `Elicitation "${key}": ${given} is not an absolute URL, such as https://example.com/pay.`,
    );
  }
  const page = new URL(url);
  const problem = pageProblem(page);
  if (problem !== undefined) throw new TypeError(`Elicitation "${key}": ${problem}`);
  return {
    mode: 'url',
    message,
    url: page.href,
    ...(elicitationId !== undefined && { elicitationId }),
  };
}

const warnedOfLinks = new WeakSet<CompiledForm>();

/** Warns once per form if its texts contain links: clients do not make them clickable, and users should not follow them. */
export function warnOfLinks(
  compiled: CompiledForm,
  { key, message }: { readonly key: string; readonly message: string },
  onError: (error: unknown, where: string) => void,
): void {
  if (warnedOfLinks.has(compiled) || !showsLink(message, compiled.form)) return;
  warnedOfLinks.add(compiled);
  const advice = 'links in a form are not for users to follow. Send them to a page with ctx.elicitUrl.';
  onError(new TypeError(`Elicitation "${key}": ${advice}`), 'elicitation');
}

/** A form that was sent. */
export interface Put {
  readonly key: string;
  /** True if the answer was a separate response, false if it was in the params of the call. */
  readonly live: boolean;
}

/**
 * Returns the user's answer, checked against the schema of its form.
 * @throws if the client accepted with invalid content: SessionError `invalid-answer` for a live
 * answer, RpcError invalid params if answers are params of the call.
 */
export async function readForm<S extends Schema>(
  compiled: CompiledForm,
  answer: ElicitResult,
  { key, live }: Put,
): Promise<Elicited<S>> {
  if (answer.action !== 'accept') return { action: answer.action };
  const outcome = await compiled.schema.validate(answer.content ?? {});
  if (outcome.ok) return { action: 'accept', content: outcome.value as InferOutput<S> };
  const message = `The answer to "${key}" does not fit its form: ${describeIssues(outcome.issues)}`;
  if (!live) throw new RpcError(ErrorCode.invalidParams, message);
  const unfit = new SessionError('invalid-answer', message);
  noteRaised(unfit);
  throw unfit;
}

const fieldTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array']);

function toForm(json: SchemaObject, key: string): FormSchema {
  const { properties, required } = json;
  if (json.type !== 'object' || !isObject(properties)) {
    throw new TypeError(`Elicitation "${key}": the schema must be an object with properties.`);
  }
  for (const [name, field] of Object.entries(properties))
    checkField(`elicitation "${key}", field "${name}"`, name, field);
  const form = { type: 'object', properties: properties as Record<string, FormField> } as const;
  return Array.isArray(required) && required.length > 0 ? { ...form, required: required as string[] } : form;
}

function checkField(where: string, name: string, field: unknown): void {
  if (!isObject(field) || !fieldTypes.has(field.type)) {
    throw new TypeError(
      `${where}: a form has only strings, numbers, booleans, choices and lists of choices.`,
    );
  }
  const problem = fieldProblem(name, field);
  if (problem !== undefined) throw new TypeError(`${where}: ${problem}`);
  if (field.type !== 'array') return;
  const { items } = field;
  if (!isObject(items) || (!Array.isArray(items.enum) && !Array.isArray(items.anyOf))) {
    throw new TypeError(
      `${where}: a list must be a list of choices (items with enum, or anyOf of const and title).`,
    );
  }
}
