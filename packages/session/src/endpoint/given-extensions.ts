import { isRecord } from '@tenon/foundation';

/** The functions that create and accept the extensions of one end. */
export interface ExtensionMaker {
  /** The function that accepts the extensions. */
  readonly call: string;
  /** The package of `defineExtension`. */
  readonly from: string;
  /** The member that `defineExtension` adds. */
  readonly mark: symbol;
}

/** @throws TypeError if `defineExtension` of this end did not return the extension. */
export function requireExtensions(
  extensions: readonly unknown[],
  { call, from, mark }: ExtensionMaker,
): void {
  for (const [index, extension] of extensions.entries()) {
    if (isRecord(extension) && mark in extension) continue;
    const id =
      isRecord(extension) && typeof extension.id === 'string' && extension.id !== ''
        ? String(extension.id).slice(0, 128)
        : undefined;
    const named = id === undefined ? '' : ` (${JSON.stringify(id)})`;
    throw new TypeError(
      `${call}: extensions[${index}]${named} was not returned by defineExtension of ${from}: write ` +
        `extensions: [defineExtension({ id: ${JSON.stringify(id ?? 'com.example/search')}, ... })].`,
    );
  }
}
