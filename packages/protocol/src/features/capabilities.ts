/** Settings of a capability or extension; empty means supported without settings. */
export type CapabilitySettings = { readonly [key: string]: unknown };

/** Extensions by identifier. Third parties add theirs by declaration merging. */
export interface Extensions {
  readonly [identifier: string]: CapabilitySettings;
}

export interface ClientCapabilities {
  readonly experimental?: { readonly [key: string]: CapabilitySettings };
  readonly extensions?: Extensions;
  /** @deprecated by 2026-07-28. */
  readonly roots?: { readonly listChanged?: boolean };
  /** @deprecated by 2026-07-28. */
  readonly sampling?: { readonly context?: CapabilitySettings; readonly tools?: CapabilitySettings };
  readonly elicitation?: { readonly form?: CapabilitySettings; readonly url?: CapabilitySettings };
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
}
