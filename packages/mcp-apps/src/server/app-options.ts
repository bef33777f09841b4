import { type Clock, type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
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
  readonly vite: { readonly [option: string]: unknown };
}

/** The receiver of changes of a source. */
export interface SourceListener {
  readonly clock: Clock;
  changed(): void;
  failed(error: unknown): void;
}

const { anything, callable, flag } = optionRules;
const aText: OptionRule = { is: 'a text', allows: (value) => typeof value === 'string' };
const path: OptionRule = {
  is: 'a path or a file: URL',
  allows: (value) =>
    (typeof value === 'string' && value !== '') || (value instanceof URL && value.protocol === 'file:'),
};

const rules: { readonly [Name in keyof Required<AppOptions>]: OptionRule } = {
  html: { is: 'a text or a function', allows: (value) => aText.allows(value) || callable.allows(value) },
  file: path,
  entry: path,
  title: aText,
  description: aText,
  uri: {
    is: 'a URI that begins with ui://',
    allows: (value) => typeof value === 'string' && isAppUri(value),
  },
  csp: anything,
  permissions: {
    is: `a list of ${permissionNames.join(', ')}`,
    allows: (value) => Array.isArray(value) && value.every((one) => isOneOf(permissionNames, one)),
  },
  domain: aText,
  prefersBorder: flag,
};
const sources = ['html', 'file', 'entry'] as const;
const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/**
 * Checks an app at its registration.
 * @throws TypeError or RangeError that names the app, the problem and the fix.
 */
export function requireApp(name: unknown, options: AppOptions): void {
  if (typeof name !== 'string' || !namePattern.test(name))
    throw new TypeError(
      `App name ${JSON.stringify(name)?.slice(0, 100)}: use 1 to 64 lower-case letters, digits and hyphens.`,
    );
  const owner = `App "${name}"`;
  requireOptions(owner, options, rules);
  const given = sources.filter((source) => options[source] !== undefined);
  if (given.length !== 1)
    throw new TypeError(`${owner} needs one of html, file and entry, not ${given.join(' and ') || 'none'}.`);
  const problem = options.csp === undefined ? undefined : cspProblem(options.csp);
  if (problem !== undefined) throw new TypeError(`${owner}: csp${problem}.`);
}
