import { isDeepStrictEqual } from 'node:util';
import { redacted } from '@tenon/foundation/redaction';
import type { CallOptions } from '@tenon/mcp-client';
import { RemoteError } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { ServerClient } from '../connections/open-server.js';
import { type ChangeDetail, changed, type ServerChange, shown, valueChange } from './change.js';
import type { CallAnswer, RecordedCall } from './recorded-catalog.js';

/** Members of results that belong to the message and not to the answer. */
const envelope = ['_meta', 'resultType', 'ttlMs', 'cacheScope'];

/** Differences that are reported for one call. */
const mostDetails = 10;

/** Returns the differences between the answers to equal calls. @param ignore - names of members that are not compared */
export function resultChanges(
  before: readonly RecordedCall[],
  after: readonly RecordedCall[],
  ignore: readonly string[] = [],
): readonly ServerChange[] {
  const ignored = new Set([...envelope, ...ignore]);
  const later = new Map<string, RecordedCall[]>();
  for (const call of after) {
    const name = nameOfCall(call);
    later.set(name, [...(later.get(name) ?? []), call]);
  }
  return before.flatMap((call) => {
    const name = nameOfCall(call);
    const other = later.get(name)?.shift();
    if (call.answer === undefined || other?.answer === undefined) return [];
    return changed('result', name, answerDetails(call.answer, other.answer, ignored));
  });
}

/** Sends the calls of a recording to a server, one after the other, and returns them with the answers of the server. */
export async function repeatCalls(
  client: ServerClient,
  calls: readonly RecordedCall[],
  options: CallOptions,
): Promise<readonly RecordedCall[]> {
  const answered: RecordedCall[] = [];
  for (const call of calls) {
    options.signal?.throwIfAborted();
    answered.push({ ...call, answer: await answerOf(client, call, options) });
  }
  return answered;
}

async function answerOf(client: ServerClient, call: RecordedCall, options: CallOptions): Promise<CallAnswer> {
  try {
    return { result: await send(client, call, options) };
  } catch (error) {
    if (error instanceof RemoteError) return { error: { code: error.code, message: error.message } };
    throw error;
  }
}

function send(
  client: ServerClient,
  { method, params }: RecordedCall,
  options: CallOptions,
): Promise<unknown> {
  const args = isObject(params.arguments) ? params.arguments : {};
  if (method === 'tools/call') return client.callTool(String(params.name), args, options);
  if (method === 'prompts/get')
    return client.getPrompt(String(params.name), args as Readonly<Record<string, string>>, options);
  if (method === 'resources/read') return client.readResource(String(params.uri), options);
  return client.complete(params as never, options);
}

/** Returns a call as text, such as `tools/call forecast {"city":"Oslo"}`. */
function nameOfCall({ method, params }: RecordedCall): string {
  const { name, uri, arguments: args } = params;
  const subject = name ?? uri;
  const rest = subject === undefined ? params : args;
  return [method, subject, rest === undefined ? undefined : JSON.stringify(rest)]
    .filter((part) => part !== undefined)
    .join(' ');
}

function answerDetails(
  before: CallAnswer,
  after: CallAnswer,
  ignored: ReadonlySet<string>,
): readonly ChangeDetail[] {
  if ('error' in before && 'error' in after)
    return valueDetails(before.error, after.error, { ignored, path: 'error' });
  if ('error' in after) return [{ path: '', text: `fails now: ${messageOf(after.error)}`, breaking: true }];
  if ('error' in before)
    return [{ path: '', text: `no longer fails: ${messageOf(before.error)}`, breaking: false }];
  const [was, is] = [before.result, after.result].map((one) => (isObject(one) ? one : {}));
  const hasFailed = was?.isError !== true && is?.isError === true;
  const isFixed = was?.isError === true && is?.isError !== true;
  const details = valueDetails(was, is, { ignored: new Set([...ignored, 'isError']), path: '' });
  const failed = hasFailed ? [{ path: 'isError', text: 'is true now', breaking: true }] : [];
  const fixed = isFixed ? [{ path: 'isError', text: 'is no longer true', breaking: false }] : [];
  const all = [...failed, ...fixed, ...details];
  if (all.length <= mostDetails) return all;
  const rest = all.slice(mostDetails);
  const more = { path: '', text: `and ${rest.length} more`, breaking: rest.some(({ breaking }) => breaking) };
  return [...all.slice(0, mostDetails), more];
}

function valueDetails(
  was: unknown,
  is: unknown,
  { ignored, path }: { readonly ignored: ReadonlySet<string>; readonly path: string },
): readonly ChangeDetail[] {
  if (isDeepStrictEqual(was, is) || standsForOthers(was) || standsForOthers(is)) return [];
  const isStructured = path === 'structuredContent' || path.startsWith('structuredContent.');
  if (Array.isArray(was) && Array.isArray(is)) {
    return Array.from({ length: Math.max(was.length, is.length) }).flatMap((_, index) =>
      valueDetails(was[index], is[index], { ignored, path: join(path, index) }),
    );
  }
  if (isObject(was) && isObject(is)) {
    return [...new Set([...Object.keys(was), ...Object.keys(is)])]
      .filter((name) => !ignored.has(name))
      .flatMap((name) => valueDetails(was[name], is[name], { ignored, path: join(path, name) }));
  }
  const isRemoved = is === undefined && !/\.\d+$/.test(path);
  const isOther = was !== undefined && is !== undefined && kindOf(was) !== kindOf(is);
  return [{ path, text: valueChange(was, is), breaking: isStructured && (isRemoved || isOther) }];
}

function join(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`;
}

/** True for a value that stands for others: a redacted text, or an expectation that the author of a recording wrote. */
function standsForOthers(value: unknown): boolean {
  if (isObject(value)) return Object.hasOwn(value, '$expect');
  return typeof value === 'string' && value.includes(redacted);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function messageOf(error: unknown): string {
  return isObject(error) && typeof error.message === 'string' ? error.message : shown(error);
}
