import { printableJson } from '@tenon/foundation';
import {
  type CreateMessageParams,
  type CreateMessageResult,
  type ElicitFormParams,
  type ElicitResult,
  type ElicitUrlParams,
  ErrorCode,
  type Middleware,
  type Root,
  RpcError,
  textOf,
} from '@tenon/mcp-client';
import { type FormContent, formProblem, withFormDefaults } from '@tenon/mcp-client/ui';
import { isObject } from '@tenon/mcp-protocol/internal';
import { WorkbenchError } from '../failures/workbench-error.js';
import { formTemplate } from './form-fields.js';

/** Options of {@link answersFrom}. */
interface AnswersOptions {
  /** The name of the file, for messages. */
  readonly file: string;
  /** Called for an input request without a valid answer; the call should be aborted. */
  readonly onFailure?: (failure: WorkbenchError) => void;
}

/** Answers to input requests that were written before the call. */
export interface Answers {
  readonly onElicit: (params: ElicitFormParams) => ElicitResult;
  readonly onElicitUrl: (params: ElicitUrlParams) => Pick<ElicitResult, 'action'>;
  readonly onSample: (params: CreateMessageParams) => CreateMessageResult;
  /** Undefined if the file has none. */
  readonly roots: readonly Root[] | undefined;
  /** Reads the keys of input requests; without it only messages are matched. */
  readonly middleware: Middleware;
  /** Returns the keys of answers that no input request used. */
  unused(): string[];
}

/**
 * Returns the handlers that answer input requests from a file: an object. A name in it is the key of an input request, its
 * message, or `*` for all others. A value is an answer, or a list of answers that are used in their order. `roots` has the roots.
 *
 * A form: `{ "action": "accept", "content": { ... } }`, or `"decline"` or `"cancel"`. A page: an action. Sampling: `{ "text": "..." }`.
 * @throws WorkbenchError `usage` if the text is not such an object.
 */
export function answersFrom(text: string, { file, onFailure }: AnswersOptions): Answers {
  const table = new AnswerTable(readTable(text, file), file);
  const keys = new WeakMap<object, string>();
  const answer = <T>(params: object, message: string, read: (answer: unknown) => T | WorkbenchError): T => {
    const found = table.take(keys.get(params), message);
    const result = found === undefined ? unanswered({ params, message, file }) : read(found.answer);
    if (!(result instanceof WorkbenchError)) return result;
    onFailure?.(result);
    throw result;
  };
  return {
    onElicit: (params) => answer(params, params.message, (given) => formAnswer(given, params, file)),
    onElicitUrl: (params) =>
      answer(params, params.message, (given) => pageAnswer(given, { message: params.message, file })),
    onSample: (params) => answer(params, samplingMessage(params), (given) => sampleAnswer(given, file)),
    roots: table.roots(),
    middleware: keyReader(keys),
    unused: () => table.unused(),
  };
}

function readTable(text: string, file: string): ReadonlyMap<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw notAnswers(file, error);
  }
  if (!isObject(value)) throw notAnswers(file, new TypeError('expected an object'));
  return new Map(Object.entries(value));
}

function notAnswers(file: string, error: unknown): WorkbenchError {
  const problem = error instanceof Error ? error.message : String(error);
  return new WorkbenchError('usage', `The file of answers ${file} is not a JSON object: ${problem}`, {
    hint: 'Example: { "Which city?": { "action": "accept", "content": { "city": "Oslo" } }, "*": "decline" }',
    cause: error,
  });
}

class AnswerTable {
  readonly #table: ReadonlyMap<string, unknown>;
  readonly #file: string;
  readonly #used = new Map<string, number>();

  constructor(table: ReadonlyMap<string, unknown>, file: string) {
    this.#table = table;
    this.#file = file;
  }

  take(key: string | undefined, message: string): { answer: unknown } | undefined {
    const name = [key, message, '*'].find(
      (one) => one !== undefined && one !== 'roots' && this.#table.has(one),
    );
    if (name === undefined) return undefined;
    const answers = this.#table.get(name);
    const index = this.#used.get(name) ?? 0;
    this.#used.set(name, index + 1);
    if (!Array.isArray(answers)) return { answer: answers };
    return index < answers.length ? { answer: answers[index] } : undefined;
  }

  roots(): readonly Root[] | undefined {
    const roots = this.#table.get('roots');
    if (roots === undefined) return undefined;
    this.#used.set('roots', 1);
    const isList =
      Array.isArray(roots) && roots.every((root) => isObject(root) && typeof root.uri === 'string');
    if (isList) return roots as unknown as readonly Root[];
    throw new WorkbenchError('usage', `"roots" in ${this.#file} is not a list of roots.`, {
      hint: 'Example: "roots": [{ "uri": "file:///home/me/project" }]',
    });
  }

  unused(): string[] {
    return [...this.#table].flatMap(([name, answers]) => {
      const used = this.#used.get(name) ?? 0;
      if (used === 0) return [name];
      return Array.isArray(answers) && name !== 'roots' && used < answers.length ? [`${name}[${used}]`] : [];
    });
  }
}

/** Reads the keys of input requests that come in results of calls. */
function keyReader(keys: WeakMap<object, string>): Middleware {
  return (call, next) => {
    if (call.key !== undefined) keys.set(call.params, call.key);
    return next();
  };
}

function unanswered(request: { params: object; message: string; file: string }): WorkbenchError {
  const { params, message, file } = request;
  return new WorkbenchError('usage', `${file} has no answer to an input request: ${printableJson(message)}`, {
    hint: `Add to the file:\n  ${printableJson(message)}: ${printableJson(templateOf(params))}`,
  });
}

/** Returns an answer to an input request, with places to fill in. */
export function templateOf(params: object): unknown {
  if ('requestedSchema' in params) {
    const { requestedSchema } = params as ElicitFormParams;
    return { action: 'accept', content: formTemplate(requestedSchema) };
  }
  return 'url' in params ? { action: 'accept' } : { text: '...' };
}

const actions: readonly unknown[] = ['accept', 'decline', 'cancel'];

function actionOf(answer: unknown): ElicitResult['action'] | undefined {
  const action = isObject(answer)
    ? (answer.action ?? (answer.content === undefined ? undefined : 'accept'))
    : answer;
  return actions.includes(action) ? (action as ElicitResult['action']) : undefined;
}

function formAnswer(answer: unknown, params: ElicitFormParams, file: string): ElicitResult | WorkbenchError {
  const action = actionOf(answer);
  if (action === undefined) return noAction(params.message, file);
  if (action !== 'accept') return { action };
  const { requestedSchema, message } = params;
  const given = isObject(answer) && isObject(answer.content) ? (answer.content as FormContent) : {};
  const content = withFormDefaults(requestedSchema, given);
  const problem = formProblem(requestedSchema, content);
  if (problem === undefined) return { action, content };
  return new WorkbenchError(
    'usage',
    `The answer in ${file} to ${printableJson(message)} does not fit the form: ${problem}.`,
    {
      hint: `The form: ${printableJson(formTemplate(requestedSchema))}`,
    },
  );
}

function pageAnswer(
  answer: unknown,
  { message, file }: { message: string; file: string },
): Pick<ElicitResult, 'action'> | WorkbenchError {
  const action = actionOf(answer);
  return action === undefined ? noAction(message, file) : { action };
}

function noAction(message: string, file: string): WorkbenchError {
  return new WorkbenchError('usage', `The answer in ${file} to ${printableJson(message)} has no action.`, {
    hint: 'Write "action": "accept", "decline" or "cancel".',
  });
}

function sampleAnswer(answer: unknown, file: string): CreateMessageResult | WorkbenchError {
  if (typeof answer === 'string' && !actions.includes(answer)) return sampled({ type: 'text', text: answer });
  if (isObject(answer) && typeof answer.text === 'string')
    return sampled({ type: 'text', text: answer.text });
  if (isObject(answer) && answer.content !== undefined) {
    const { content, ...rest } = answer;
    return { ...sampled(content as CreateMessageResult['content']), ...rest };
  }
  if (actionOf(answer) !== undefined)
    throw new RpcError(ErrorCode.userRejected, 'The user rejected the sampling request.');
  return new WorkbenchError('usage', `An answer in ${file} to a sampling request has no text.`, {
    hint: 'Write { "text": "..." } or "decline".',
  });
}

function sampled(content: CreateMessageResult['content']): CreateMessageResult {
  return { role: 'assistant', model: 'user', stopReason: 'endTurn', content };
}

/** Returns the text by which an answer to a sampling request is found: that of its last message. */
function samplingMessage({ messages }: CreateMessageParams): string {
  const last = messages.at(-1);
  return last === undefined ? '' : textOf(last.content);
}
