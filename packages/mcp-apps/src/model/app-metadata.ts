import { isRecord } from '@tenon/foundation';
import type { CallToolResult, ReadResourceResult, Tool } from '@tenon/mcp-protocol';
import { originsProblem } from './origins.js';

/** Characters of one document. */
export const longestHtml = 4_194_304;

/** @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#extension-identifier */
export const extensionId = 'io.modelcontextprotocol/ui';

/** The media type of apps. */
export const appMimeType = 'text/html;profile=mcp-app';

/** Origins that a view may reach. A list that is absent or empty allows none. */
export interface AppCsp {
  /** For `fetch`, `XMLHttpRequest` and `WebSocket`. */
  readonly connectDomains?: readonly string[];
  /** For scripts, styles, images, fonts and media. */
  readonly resourceDomains?: readonly string[];
  /** For nested frames. */
  readonly frameDomains?: readonly string[];
  /** For the `base` element. */
  readonly baseUriDomains?: readonly string[];
}

/** A feature of the browser that a view requests; hosts may refuse it. */
export type AppPermission = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite';

/** `_meta.ui` of an app's contents, checked. */
export interface AppMeta {
  readonly csp: AppCsp;
  readonly permissions: readonly AppPermission[];
  /** The origin that the app requests for its views; its format is the host's. */
  readonly domain: string | undefined;
  /** True for a border and background around the view, false for none; undefined leaves it to the host. */
  readonly prefersBorder: boolean | undefined;
}

const cspMembers = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;
export const permissionNames = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;

const longestDomain = 255;

/** Returns the problem of a declaration of origins, to follow its name without a space. */
export function cspProblem(csp: unknown): string | undefined {
  if (!isRecord(csp)) return ` must be an object with ${cspMembers.join(', ')}`;
  for (const [name, list] of Object.entries(csp)) {
    if (!isOneOf(cspMembers, name))
      return ` has no member "${name.slice(0, 40)}"; use ${cspMembers.join(', ')}`;
    const problem = list === undefined ? undefined : originsProblem(list);
    if (problem !== undefined) return `.${name}${problem.startsWith('[') ? '' : ' '}${problem}`;
  }
  return undefined;
}

/** Permissions as the protocol has them: `{ camera: {} }`. */
export function permissionsOnWire(names: readonly AppPermission[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, {}]));
}

/**
 * Reads `_meta.ui` of the contents of an app. Members that are not known are ignored.
 * @throws TypeError if a member is malformed, so that a policy is never made of it.
 */
export function readAppMeta(ui: unknown): AppMeta {
  if (ui === undefined) return { csp: {}, permissions: [], domain: undefined, prefersBorder: undefined };
  if (!isRecord(ui)) throw new TypeError('_meta.ui must be an object');
  const { csp, permissions, domain, prefersBorder } = ui;
  if (domain !== undefined && (typeof domain !== 'string' || domain.length > longestDomain))
    throw new TypeError(`_meta.ui.domain must be a text of at most ${longestDomain} characters`);
  if (prefersBorder !== undefined && typeof prefersBorder !== 'boolean')
    throw new TypeError('_meta.ui.prefersBorder must be true or false');
  return { csp: readCsp(csp), permissions: readPermissions(permissions), domain, prefersBorder };
}

function readCsp(csp: unknown): AppCsp {
  if (csp === undefined) return {};
  if (!isRecord(csp)) throw new TypeError('_meta.ui.csp must be an object');
  const known = Object.fromEntries(
    cspMembers.flatMap((name) => (csp[name] === undefined ? [] : [[name, csp[name]]])),
  ) as AppCsp;
  const problem = cspProblem(known);
  if (problem !== undefined) throw new TypeError(`_meta.ui.csp${problem}`);
  return known;
}

function readPermissions(permissions: unknown): readonly AppPermission[] {
  if (permissions === undefined) return [];
  if (!isRecord(permissions)) throw new TypeError('_meta.ui.permissions must be an object');
  return permissionNames.filter((name) => isRecord(permissions[name]));
}

/** True for one of a list of words. */
export function isOneOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return words.includes(value as Word);
}

/** An app that was read from its server and checked: the document, and the declarations for its sandbox. */
export interface AppResource extends AppMeta {
  readonly uri: string;
  readonly html: string;
}

/** The server of an app, for its views: `createAppServer` of `/client` makes one of a client. */
export interface AppServer {
  /** Returns the definition of a tool; undefined if there is none of that name. */
  tool(name: string, options: { readonly signal: AbortSignal }): Promise<Pick<Tool, '_meta'> | undefined>;
  callTool(
    name: string,
    args: { readonly [key: string]: unknown },
    options: { readonly signal: AbortSignal },
  ): Promise<CallToolResult>;
  readResource(uri: string, options: { readonly signal: AbortSignal }): Promise<ReadResourceResult>;
}
