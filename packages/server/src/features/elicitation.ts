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
import { noteRaised } from '../asking/raised.js';
import {
  type CompiledSchema,
  compileSchema,
  describeIssues,
  type InferOutput,
  type LibraryBounds,
  type Schema,
  type Validator,
} from '../schemas/schema.js';
import { fieldFlaw, pageFlaw, showsLink } from './elicitation-safety.js';

/** A question to the user. */
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
   * Names the visit for `server.elicitationCompleted`, in the revision that has such ids; random by default, so that
   * nobody can guess it. Choose it as unguessable.
   */
  readonly elicitationId?: string;
}

/** What the user answered. */
export type Elicited<S extends Schema> =
  | { readonly action: 'accept'; readonly content: InferOutput<S> }
  | { readonly action: 'decline' | 'cancel'; readonly content?: undefined };

/** A form ready to send, and the check for what comes back. */
export interface CompiledForm {
  readonly form: FormSchema;
  readonly schema: CompiledSchema;
  readonly validator: Validator | undefined;
  readonly bounds?: LibraryBounds | undefined;
}

const compiledForms = new WeakMap<object, CompiledForm>();

/** What a form is asked with. */
export interface FormUse {
  readonly key: string;
  /** See `ServerOptions.validator`. */
  readonly validator: Validator | undefined;
  readonly bounds?: LibraryBounds | undefined;
}

/**
 * The form of a schema, made once per schema object.
 * @throws TypeError for a schema the specification has no form for, or that asks for a secret.
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
 * What sends the user to a page.
 * @param elicitationId - the id to tell the client, where the revision has such ids.
 * @throws TypeError for what is no absolute URL, or no page a user should be sent to.
 */
export function pageFor({ message, url }: ElicitPage, key: string, elicitationId?: string): ElicitUrlParams {
  if (!isUrl(url)) {
    const given = JSON.stringify(url);
    throw new TypeError(
      `Elicitation "${key}": ${given} is no absolute URL, such as https://example.com/pay.`,
    );
  }
  const page = new URL(url);
  const flaw = pageFlaw(page);
  if (flaw !== undefined) throw new TypeError(`Elicitation "${key}": ${flaw}`);
  return {
    mode: 'url',
    message,
    url: page.href,
    ...(elicitationId !== undefined && { elicitationId }),
  };
}

const toldOfLinks = new WeakSet<CompiledForm>();

/** Warns, once a form, of links in what it shows: clients do not make them clickable, and users should not follow them. */
export function warnOfLinks(
  compiled: CompiledForm,
  { key, message }: { readonly key: string; readonly message: string },
  onError: (error: unknown, where: string) => void,
): void {
  if (toldOfLinks.has(compiled) || !showsLink(message, compiled.form)) return;
  toldOfLinks.add(compiled);
  const advice = 'links in a form are not for users to follow. Send them to a page with ctx.elicitUrl.';
  onError(new TypeError(`Elicitation "${key}": ${advice}`), 'elicitation');
}

/** A question that was put, and how. */
export interface Put {
  readonly key: string;
  /** The answer came as a response of its own, not as params of the call. */
  readonly live: boolean;
}

/**
 * The user's answer, checked against the schema it was asked with.
 * @throws an error when the client accepted with content that does not fit: SessionError `invalid-answer` for a live
 * answer, RpcError invalid params where answers are params of the call.
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
  const flaw = fieldFlaw(name, field);
  if (flaw !== undefined) throw new TypeError(`${where}: ${flaw}`);
  if (field.type !== 'array') return;
  const { items } = field;
  if (!isObject(items) || (!Array.isArray(items.enum) && !Array.isArray(items.anyOf))) {
    throw new TypeError(
      `${where}: a list must be a list of choices (items with enum, or anyOf of const and title).`,
    );
  }
}
