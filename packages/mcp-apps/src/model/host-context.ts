import type { Tool } from '@tenon/mcp-protocol';

/** @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#display-modes */
export type DisplayMode = 'inline' | 'fullscreen' | 'pip';

export const displayModes = ['inline', 'fullscreen', 'pip'] as const;

/**
 * The surroundings of a view: its tool, theme, place and size, and the user's language.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#host-context-in-mcpuiinitializeresult
 */
export interface HostContext {
  /** The call that the view shows. */
  readonly toolInfo?: { readonly id?: string | number; readonly tool: Tool };
  readonly theme?: 'light' | 'dark';
  readonly styles?: {
    /** Values of CSS variables, such as `--color-background-primary`. */
    readonly variables?: Readonly<Record<`--${string}`, string | undefined>>;
    /** `fonts` has `@font-face` and `@import` rules. */
    readonly css?: { readonly fonts?: string };
  };
  readonly displayMode?: DisplayMode;
  /** The modes that the host supports. */
  readonly availableDisplayModes?: readonly DisplayMode[];
  /** Pixels. `height` and `width` are fixed; up to `maxHeight` and `maxWidth` the view decides. */
  readonly containerDimensions?: {
    readonly height?: number;
    readonly maxHeight?: number;
    readonly width?: number;
    readonly maxWidth?: number;
  };
  /** A BCP 47 tag, such as `en-US`. */
  readonly locale?: string;
  /** An IANA name, such as `Europe/Oslo`. */
  readonly timeZone?: string;
  /** The name of the host application. */
  readonly userAgent?: string;
  readonly platform?: 'web' | 'desktop' | 'mobile';
  readonly deviceCapabilities?: { readonly touch?: boolean; readonly hover?: boolean };
  /** Pixels. */
  readonly safeAreaInsets?: {
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
    readonly left: number;
  };
}

/** Features of a host, as the view receives them. */
export interface HostCapabilities {
  readonly openLinks?: object;
  readonly serverTools?: { readonly listChanged?: boolean };
  readonly serverResources?: { readonly listChanged?: boolean };
  readonly logging?: object;
  /** The permissions and origins that the host has granted. */
  readonly sandbox?: { readonly permissions?: object; readonly csp?: object };
  readonly message?: object;
  readonly updateModelContext?: object;
}
