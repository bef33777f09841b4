import {
  type CustomNotification,
  type Method,
  type MethodParams,
  type MethodResult,
  SessionError,
  type Shape,
  type Side,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { ExtendedRevisions } from '@tenon/mcp-protocol/internal';
import type { CallPort } from '../core/call-port.js';
import {
  type CompiledSchema,
  compileSchema,
  describeIssues,
  type Schema,
  type SchemaUse,
} from '../schemas/schema.js';

interface Compiled {
  readonly params: CompiledSchema | undefined;
  readonly result: CompiledSchema | undefined;
}

/** The methods and notifications outside the core protocol that one server uses: each is compiled once. */
export class CustomShapes {
  readonly #spoken: ExtendedRevisions;
  readonly #checks: Pick<SchemaUse, 'validator' | 'bounds'>;
  readonly #compiled = new WeakMap<object, Compiled>();

  /** @param spoken - the revisions of the server. @param checks - how its schemas are checked. */
  constructor(spoken: ExtendedRevisions, checks: Pick<SchemaUse, 'validator' | 'bounds'>) {
    this.#spoken = spoken;
    this.#checks = checks;
  }

  /**
   * Calls a method of the client that a request came from.
   * @throws as `Context.request` does.
   */
  async call<M extends Method>(
    request: Pick<CallPort, 'ask'>,
    method: M,
    params: MethodParams<M>,
  ): Promise<MethodResult<M>> {
    const { params: fits, result } = this.add(method, 'server');
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
   * Returns the checked params of a notification to clients.
   * @throws TypeError if they do not match its shape.
   */
  async notificationParams(notification: CustomNotification, params: unknown = {}): Promise<UnknownObject> {
    const outcome = await this.add(notification, 'server').params?.validate(params);
    if (outcome?.ok === false)
      throw new TypeError(`${notification.name}: invalid params: ${describeIssues(outcome.issues)}`);
    return params as UnknownObject;
  }

  /**
   * Adds a method or notification that `sender` may send to the revisions that have it, and returns its compiled shapes.
   * @throws TypeError if a shape cannot work, or the core protocol implements the method or notification in one of these revisions.
   */
  add(shapes: Method | CustomNotification, sender: Side): Compiled {
    const compiled = this.#compiled.get(shapes) ?? this.#compile(shapes);
    if (shapes.kind === 'method') this.#spoken.addMethod(shapes, sender);
    else this.#spoken.addNotification(shapes, sender);
    return compiled;
  }

  #compile(shapes: Method | CustomNotification): Compiled {
    const { kind, name, params } = shapes;
    const result = shapes.kind === 'method' ? shapes.result : undefined;
    const compile = (shape: Shape | undefined, what: string, direction: 'input' | 'output') =>
      shape &&
      compileSchema(shape as Schema, { ...this.#checks, owner: `${kind} "${name}" ${what}`, direction });
    const compiled = {
      params: compile(params, 'params', 'input'),
      result: compile(result, 'result', 'output'),
    };
    this.#compiled.set(shapes, compiled);
    return compiled;
  }
}
