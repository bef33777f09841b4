import { isRecord, meantOption } from '@tenon/foundation';
import {
  type AppCsp,
  type AppPermission,
  cspProblem,
  isOneOf,
  permissionNames,
} from '../model/app-metadata.js';
import { isAppUri } from '../model/tool-ui.js';

/** An app: the HTML document that hosts show for results of tools. One of `html`, `file` and `entry` is its source. */
export interface AppOptions {
  /** The document, or a function that returns the document for each read. */
  readonly html?: string | (() => string | Promise<string>);
  /** A file with the document. Relative paths begin at the working directory: prefer `new URL('chart.html', import.meta.url)`. */
  readonly file?: string | URL;
  /**
   * A TypeScript, TSX or JavaScript module that draws into the element `#root`, or an HTML page. Vite builds one document of the
   * module: install `vite`.
   */
  readonly entry?: string | URL;
  readonly title?: string;
  readonly description?: string;
  /** The URI of the app's resource. Default: `ui://` and the name. */
  readonly uri?: string;
  /** The origins that the view may reach. Default: none. */
  readonly csp?: AppCsp;
  /** Features of the browser that the view requests. Hosts may refuse them. Default: none. */
  readonly permissions?: readonly AppPermission[];
  /** The origin that the app requests for its views, in the format of the host. */
  readonly domain?: string;
  /** True for a border and background around the view, false for none. Default: the host decides. */
  readonly prefersBorder?: boolean;
}

/** Options of the sources of all apps. */
export interface SourceOptions {
  /** Characters of one document. */
  readonly htmlSize: number;
  readonly vite: { readonly [option: string]: unknown };
}

const sources = ['html', 'file', 'entry'] as const;
const texts = ['title', 'description', 'uri', 'domain'] as const;
const members: readonly string[] = [...sources, ...texts, 'csp', 'permissions', 'prefersBorder'];
const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/**
 * Checks an app at its registration.
 * @throws TypeError that names the app, the problem and the fix.
 */
export function requireApp(name: unknown, options: AppOptions): void {
  if (typeof name !== 'string' || !namePattern.test(name))
    throw new TypeError(
      `App name ${JSON.stringify(name)?.slice(0, 100)}: use 1 to 64 lower-case letters, digits and hyphens.`,
    );
  const problem = isRecord(options) ? optionsProblem(options) : 'needs options, such as { file }';
  if (problem !== undefined) throw new TypeError(`App "${name}" ${problem}.`);
}

function optionsProblem(options: AppOptions): string | undefined {
  const unknown = Object.keys(options).find((name) => !members.includes(name));
  if (unknown !== undefined)
    return `has an unknown option ${JSON.stringify(unknown.slice(0, 100))}.${meantOption(unknown, members)}`;
  const given = sources.filter((name) => options[name] !== undefined);
  if (given.length !== 1) return `needs one of html, file and entry, not ${given.join(' and ') || 'none'}`;
  return sourceProblem(options) ?? metadataProblem(options);
}

function sourceProblem({ html, file, entry }: AppOptions): string | undefined {
  if (html !== undefined && typeof html !== 'string' && typeof html !== 'function')
    return 'has "html" that is neither a text nor a function';
  for (const [name, path] of Object.entries({ file, entry })) {
    if (path === undefined || (typeof path === 'string' && path !== '')) continue;
    if (path instanceof URL && path.protocol === 'file:') continue;
    return `has "${name}" that is neither a path nor a file: URL`;
  }
  return undefined;
}

function metadataProblem(options: AppOptions): string | undefined {
  const { csp, permissions, prefersBorder, uri } = options;
  const wrong = texts.find((name) => options[name] !== undefined && typeof options[name] !== 'string');
  if (wrong !== undefined) return `has "${wrong}" that is not a text`;
  if (uri !== undefined && !isAppUri(uri)) return `has the URI "${uri}"; it must begin with ui://`;
  const declared = csp === undefined ? undefined : cspProblem(csp);
  if (declared !== undefined) return `has "csp" that is refused: csp${declared}`;
  if (permissions !== undefined && !isPermissions(permissions))
    return `has "permissions" that is not a list of ${permissionNames.join(', ')}`;
  return prefersBorder === undefined || typeof prefersBorder === 'boolean'
    ? undefined
    : 'has "prefersBorder" that is neither true nor false';
}

function isPermissions(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => isOneOf(permissionNames, one));
}
