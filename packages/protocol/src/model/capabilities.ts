/** Settings of a capability or extension; empty means supported without settings. */
export type CapabilitySettings = { readonly [key: string]: unknown };

/**
 * Settings of extensions by identifier. Third parties type theirs by declaration merging:
 * `declare module '@tenon/mcp-protocol' { interface Extensions { readonly 'com.example/thing'?: Thing } }`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation
 */
export interface Extensions {
  readonly [identifier: string]: CapabilitySettings | undefined;
}

export interface ClientCapabilities {
  readonly experimental?: { readonly [key: string]: CapabilitySettings };
  readonly extensions?: Extensions;
  /** @deprecated by 2026-07-28. */
  readonly roots?: { readonly listChanged?: boolean };
  /** @deprecated by 2026-07-28. */
  readonly sampling?: { readonly context?: CapabilitySettings; readonly tools?: CapabilitySettings };
  readonly elicitation?: { readonly form?: CapabilitySettings; readonly url?: CapabilitySettings };
  /**
   * The requests that the client runs as tasks, in 2025-11-25. Clients of 2026-07-28 may send it too, where it has no meaning and
   * its shape is not checked.
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#capabilities
   */
  readonly tasks?: {
    readonly list?: CapabilitySettings;
    readonly cancel?: CapabilitySettings;
    readonly requests?: {
      readonly sampling?: { readonly createMessage?: CapabilitySettings };
      readonly elicitation?: { readonly create?: CapabilitySettings };
    };
  };
}

export interface ServerCapabilities {
  readonly experimental?: { readonly [key: string]: CapabilitySettings };
  readonly extensions?: Extensions;
  /** @deprecated by 2026-07-28. */
  readonly logging?: CapabilitySettings;
  readonly completions?: CapabilitySettings;
  readonly prompts?: { readonly listChanged?: boolean };
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean };
  readonly tools?: { readonly listChanged?: boolean };
  /**
   * The requests that the server runs as tasks, in 2025-11-25 only.
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#capabilities
   */
  readonly tasks?: {
    readonly list?: CapabilitySettings;
    readonly cancel?: CapabilitySettings;
    readonly requests?: { readonly tools?: { readonly call?: CapabilitySettings } };
  };
}

/** Returns the peer's settings of an extension that both ends declared; undefined if it must not be used. */
export function negotiated<Id extends keyof Extensions & string>(
  identifier: Id,
  ours: Extensions | undefined,
  theirs: Extensions | undefined,
): Extensions[Id] | undefined {
  const both =
    ours !== undefined &&
    theirs !== undefined &&
    Object.hasOwn(ours, identifier) &&
    Object.hasOwn(theirs, identifier);
  return both ? theirs[identifier] : undefined;
}
