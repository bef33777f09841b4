import {
  type Method,
  type MethodParams,
  type MethodResult,
  type Notice,
  SessionError,
  type Shape,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { CallPort } from '../core/call-port.js';
import { type CompiledSchema, compileSchema, describeIssues, type Schema } from '../schemas/schema.js';
import type { Definition } from './definition.js';

/**
 * Calls a method of the client that a request came from.
 * @throws as `Context.request` does.
 */
export async function callClient<M extends Method>(
  definition: Definition,
  request: Pick<CallPort, 'ask'>,
  { method, params }: { readonly method: M; readonly params: MethodParams<M> },
): Promise<MethodResult<M>> {
  definition.spoken.addMethod(method, 'server');
  const { params: fits, result } = compiled(definition, method);
  const sound = await fits?.validate(params ?? {});
  if (sound?.ok === false)
    throw new TypeError(`${method.name}: invalid params: ${describeIssues(sound.issues)}`);
  const answer: UnknownObject = await request.ask(method.name as never, (params ?? {}) as never);
  const { _meta, ...own } = answer;
  const read = (await result?.validate(own)) ?? { ok: true, value: own };
  if (read.ok) return read.value as MethodResult<M>;
  const problem = describeIssues(read.issues);
  throw new SessionError(
    'invalid-answer',
    `The result of ${method.name} does not have its shape: ${problem}`,
  );
}

/**
 * Returns the checked params of a notification.
 * @throws TypeError if they do not match its shape.
 */
export async function noticeParams(
  definition: Definition,
  notice: Notice,
  params: unknown = {},
): Promise<UnknownObject> {
  definition.spoken.addNotice(notice, 'server');
  const outcome = await compiled(definition, notice).params?.validate(params);
  if (outcome?.ok === false)
    throw new TypeError(`${notice.name}: invalid params: ${describeIssues(outcome.issues)}`);
  return params as UnknownObject;
}

interface Compiled {
  readonly params: CompiledSchema | undefined;
  readonly result: CompiledSchema | undefined;
}

/** Compiled shapes, by their server: each has its own validator and limits. */
const compiledShapes = new WeakMap<Definition, WeakMap<object, Compiled>>();

/** Returns the shapes of a method or notification, compiled once for each server. */
export function compiled(definition: Definition, shapes: Method | Notice): Compiled {
  let known = compiledShapes.get(definition);
  if (known === undefined) {
    known = new WeakMap();
    compiledShapes.set(definition, known);
  }
  let found = known.get(shapes);
  if (found === undefined) {
    const { validator, limits: bounds } = definition;
    const { kind, name, params } = shapes;
    const result = shapes.kind === 'method' ? shapes.result : undefined;
    const compile = (shape: Shape | undefined, what: string, direction: 'input' | 'output') =>
      shape &&
      compileSchema(shape as Schema, { owner: `${kind} "${name}" ${what}`, direction, validator, bounds });
    found = { params: compile(params, 'params', 'input'), result: compile(result, 'result', 'output') };
    known.set(shapes, found);
  }
  return found;
}
