import { isObject } from '../json-rpc/json.js';
import type { CapabilitySettings, Extensions } from '../model/capabilities.js';
import type { RevisionTraits } from './method.js';

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
