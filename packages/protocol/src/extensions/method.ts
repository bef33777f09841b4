import type { Revision } from '../codec/revision.js';
import { isObject, type UnknownObject } from '../json-rpc/json.js';
import type { CapabilitySettings, Extensions } from '../model/capabilities.js';
import type { Shape, ShapeInput, ShapeOutput } from './shape.js';

/** The part of a revision that a rule may read. It distinguishes revisions by their lifecycle and rules, never by their dates. */
export type RevisionTraits = Pick<Revision, 'lifecycle' | 'rules'>;

/** Settings of a method beside its shapes. */
export interface MethodTraits {
  /** True in revisions that have the method; elsewhere it is answered -32601. Default: all revisions. */
  readonly in?: (revision: RevisionTraits) => boolean;
  /**
   * The param that the `Mcp-Name` header repeats, in revisions that have such headers. Default: none.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
   */
  readonly named?: string;
  /** Handlers may request input, with `ctx.elicit` for example, which ends the call in stateless revisions. Default false. */
  readonly requestsInput?: boolean;
}

/** A request method outside the core protocol. Both ends use the same value: one serves it, the other calls it. */
export interface Method<Params extends Shape = Shape, Result extends Shape = Shape> extends MethodTraits {
  readonly kind: 'method';
  readonly name: string;
  readonly params: Params | undefined;
  readonly result: Result | undefined;
}

/** Params of a method as its caller writes them. */
export type MethodParams<M extends Method> = M extends Method<infer P, Shape> ? ShapeInput<P> : UnknownObject;

/** Params of a method as its handler reads them. */
export type HandledParams<M extends Method> =
  M extends Method<infer P, Shape> ? ShapeOutput<P> : UnknownObject;

/** A result of a method as its handler returns it. */
export type HandledResult<M extends Method> =
  M extends Method<Shape, infer R> ? ShapeInput<R> : UnknownObject;

/** A result of a method as its caller reads it. */
export type MethodResult<M extends Method> =
  M extends Method<Shape, infer R> ? ShapeOutput<R> : UnknownObject;

/** A notification outside the core protocol. */
export interface CustomNotification<Params extends Shape = Shape> {
  readonly kind: 'notification';
  readonly name: string;
  readonly params: Params | undefined;
  /** True in revisions that have the notification; elsewhere it is neither sent nor read. Default: all revisions. */
  readonly in?: (revision: RevisionTraits) => boolean;
}

/** Params of a notification as its sender writes them. */
export type CustomNotificationParams<N extends CustomNotification> =
  N extends CustomNotification<infer P> ? ShapeInput<P> : UnknownObject;

/** Params of a notification as its receiver reads them. */
export type ReceivedParams<N extends CustomNotification> =
  N extends CustomNotification<infer P> ? ShapeOutput<P> : UnknownObject;

const longestName = 128;

/**
 * Defines a request method, such as `defineMethod('acme/search', { params, result })`.
 * @param name - with a prefix of your own and a slash; no method of the protocol.
 * @throws TypeError if the name or a shape is malformed.
 */
export function defineMethod<const Params extends Shape = Shape, const Result extends Shape = Shape>(
  name: string,
  shapes: { readonly params?: Params; readonly result?: Result } & MethodTraits = {},
): Method<Params, Result> {
  requireName('defineMethod', name);
  requireShapes(`Method "${name}"`, shapes, ['params', 'result']);
  const { params, result, in: spoken, named, requestsInput } = shapes;
  return Object.freeze({
    kind: 'method',
    name,
    params,
    result,
    ...(spoken !== undefined && { in: spoken }),
    ...(named !== undefined && { named }),
    ...(requestsInput !== undefined && { requestsInput }),
  });
}

/**
 * Defines a notification, such as `defineNotification('notifications/acme/indexed', { params })`.
 * @throws TypeError if the name or the shape is malformed.
 */
export function defineNotification<const Params extends Shape = Shape>(
  name: string,
  shapes: { readonly params?: Params; readonly in?: (revision: RevisionTraits) => boolean } = {},
): CustomNotification<Params> {
  requireName('defineNotification', name);
  requireShapes(`Notification "${name}"`, shapes, ['params']);
  const { params, in: spoken } = shapes;
  return Object.freeze({ kind: 'notification', name, params, ...(spoken !== undefined && { in: spoken }) });
}

function requireName(what: string, name: unknown): asserts name is string {
  if (typeof name === 'string' && name.length <= longestName && /^[\w.-]+(?:\/[\w.-]+)+$/.test(name)) return;
  const given = typeof name === 'string' ? JSON.stringify(name.slice(0, longestName)) : String(name);
  throw new TypeError(
    `${what}: the name must have a prefix and a slash, such as "acme/search", and at most ${longestName} characters, not ${given}.`,
  );
}

function requireShapes(owner: string, shapes: object, members: readonly string[]): void {
  if (typeof shapes !== 'object' || shapes === null)
    throw new TypeError(`${owner}: give its shapes as an object.`);
  for (const member of members) {
    const shape: unknown = (shapes as UnknownObject)[member];
    const isShape =
      shape === undefined || typeof shape === 'function' || (typeof shape === 'object' && shape !== null);
    if (!isShape)
      throw new TypeError(
        `${owner}: "${member}" must be a Standard Schema (zod, valibot, arktype) or a JSON Schema, not ${String(shape)}.`,
      );
  }
}

/**
 * The advertised settings of an extension, or a function that returns them for a revision, and undefined if the extension
 * is not offered there. Default: `{}` in every revision.
 */
export type ExtensionSettings<Id extends string = string> =
  | NonNullable<Extensions[Id]>
  | ((revision: RevisionTraits) => Extensions[Id] | undefined);

/**
 * The settings of an extension in one revision; undefined where it is not offered.
 * @throws TypeError if they are neither an object nor undefined.
 */
export function settingsIn(
  { id, settings = {} }: { readonly id: string; readonly settings?: ExtensionSettings | undefined },
  revision: RevisionTraits,
): CapabilitySettings | undefined {
  const offered: unknown = typeof settings === 'function' ? settings(revision) : settings;
  if (offered === undefined || isObject(offered)) return offered;
  throw new TypeError(`Extension "${id}": settings must be an object, or undefined where it is not offered.`);
}
