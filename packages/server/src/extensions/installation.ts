import type { ExtendedRevisions } from '@tenon/mcp-protocol/internal';
import type { ContextParts, HandlerParts } from '../context/context.js';
import type { ServerFeature } from '../core/feature.js';
import type { CallChecker, Intercept, InterceptRun } from '../features/tool-run.js';
import type { InterceptDetached, InterceptInput } from '../run/run.js';
import type { ExtensionParts } from './detached-run.js';
import type { ServerContributions } from './extension.js';
import type { OfferedExtension, OfferedExtensions } from './offered.js';

/**
 * The code that runs extensions. Only values of `defineExtension` import it: a bundle
 * without extensions does not contain it.
 */
export interface Installation {
  /** @throws TypeError if two extensions contribute the same name, or one contributes a name of the core. */
  offer(extensions: readonly OfferedExtension[], spoken: ExtendedRevisions): OfferedExtensions;
  /** Undefined if no extension intercepts tool calls. */
  intercept(handlers: HandlerParts, extensions: readonly ServerContributions[]): Intercept | undefined;
  /** Undefined if no extension intercepts runs of tools. */
  interceptRun(handlers: HandlerParts, extensions: readonly ServerContributions[]): InterceptRun | undefined;
  /** Undefined if no extension intercepts input requests. */
  interceptInput(
    extensions: readonly ServerContributions[],
    server: Pick<ContextParts, 'extensions' | 'shapes'>,
  ): InterceptInput | undefined;
  /** Undefined if no extension intercepts detached runs. */
  interceptDetached(extensions: readonly ServerContributions[]): InterceptDetached | undefined;
  feature(parts: ExtensionParts, extension: ServerContributions, calls: CallChecker): ServerFeature;
}

export const installation: unique symbol = Symbol('installation');

/** An extension for `createServer(info, { extensions: [extension] })`, as `defineExtension` returned it. */
export interface ServerExtension<Id extends string = string, Options extends object = object>
  extends ServerContributions<Id, Options> {
  readonly [installation]: Installation;
}

/** Undefined for a server without extensions. */
export function installationOf(extensions: readonly ServerExtension[]): Installation | undefined {
  return extensions[0]?.[installation];
}

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The options that a list of extensions adds to `server.tool`. */
export type AddedOptions<List extends readonly ServerExtension[]> = List extends readonly []
  ? object
  : Intersection<OptionsOf<List[number]>> & object;

type OptionsOf<E> = E extends ServerExtension<string, infer Options> ? Options : never;
