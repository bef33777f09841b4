import type { CapabilitySettings, Extensions } from '../features/capabilities.js';
import type { RevisionTraits } from './method.js';

/**
 * What one end advertises of an extension: settings, or a rule that returns them for a revision and undefined where the extension
 * is not offered. Default: `{}` in every revision.
 */
export type ExtensionSettings<Id extends string = string> =
  | NonNullable<Extensions[Id]>
  | ((revision: RevisionTraits) => Extensions[Id] | undefined);

/** The settings of an extension in one revision; undefined where it is not offered. */
export function settingsIn(
  settings: ExtensionSettings | undefined,
  revision: RevisionTraits,
): CapabilitySettings | undefined {
  return typeof settings === 'function' ? settings(revision) : (settings ?? {});
}
