import { isRecord, type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import type { Meta } from '@tenon/mcp-protocol';
import type { Context, ServerExtension } from '@tenon/mcp-server';
import { defineExtension, type EntryRegistrar, type ExtensionHost } from '@tenon/mcp-server/extension';
import { appMimeType, extensionId, permissionsOnWire } from './model/app-metadata.js';
import { type ToolCaller, visibilityProblem } from './model/tool-ui.js';
import { type AppOptions, requireApp, type SourceOptions } from './server/app-options.js';
import { AppSource } from './server/app-source.js';

export { type AppCsp, type AppPermission, appMimeType, extensionId } from './model/app-metadata.js';
export type { ToolCaller } from './model/tool-ui.js';
export type { AppOptions } from './server/app-options.js';

/** The option `ui` of a tool: the name of its app, or an object. */
export type ToolUiOption<Name extends string = string> =
  | Name
  | {
      /** The app that shows results of the tool. Default: none. */
      readonly app?: Name;
      /** The callers that may see and call the tool. Default: both. Hosts enforce this. */
      readonly visibility?: readonly ToolCaller[];
    };

/** The options that the extension adds to `server.tool`. */
export interface AppToolOptions<Name extends string = string> {
  readonly ui?: ToolUiOption<Name>;
}

/** The extension MCP Apps of a server, for `createServer(info, { extensions: [apps().app('chart', { file })] })`. */
export interface Apps<Name extends string = never>
  extends ServerExtension<typeof extensionId, AppToolOptions<Name>> {
  /**
   * Returns the extension with one more app. Tools name the app in their option `ui`.
   * @param name - 1 to 64 lower-case letters, digits and hyphens.
   * @throws TypeError if the name is taken, or an option is malformed; an origin in `csp` must be an origin and nothing else.
   */
  app<const Added extends string>(name: Added, options: AppOptions): Apps<Name | Added>;
}

/** Options of all apps of a server. */
export interface AppsOptions {
  /**
   * Reads files again and builds entries again when they change, and notifies subscribers of the resource. Default: true if
   * `NODE_ENV` is `development`.
   */
  readonly watch?: boolean;
  /** Further options for Vite, such as `{ plugins: [react()] }`; no configuration file is read. */
  readonly vite?: { readonly [option: string]: unknown };
}

const rules: { readonly [Name in keyof Required<AppsOptions>]: OptionRule } = {
  watch: optionRules.flag,
  vite: optionRules.object,
};

/**
 * Creates the extension MCP Apps, without apps.
 * @throws TypeError or RangeError if an option is malformed.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export function apps(options: AppsOptions = {}): Apps {
  requireOptions('apps()', options, rules);
  const { watch = isDevelopment(), vite = {} } = options;
  return extensionOf<never>({ watch, vite }, new Map());
}

/** True if the client of a call shows apps; tools may then return less text. */
export function showsApps(ctx: Pick<Context, 'extension'>): boolean {
  const types = ctx.extension(extensionId)?.mimeTypes;
  return Array.isArray(types) && types.includes(appMimeType);
}

type All = ReadonlyMap<string, AppOptions>;
type Settings = SourceOptions & { readonly watch: boolean };

function extensionOf<Name extends string>(settings: Settings, all: All): Apps<Name> {
  const served = new ServedApps(settings, all);
  const contributions = {
    id: extensionId,
    toolOptions: {
      ui: {
        check: (value: unknown) => toolOptionProblem(value, all),
        meta: (value: ToolUiOption<Name> | undefined) => toolMeta(value, all),
      },
    },
    register: (entries: EntryRegistrar) => served.register(entries),
    start: (host: ExtensionHost) => served.start(host),
    stop: () => served.stop(),
  } as const;
  const app = (name: string, options: AppOptions) => {
    requireApp(name, options);
    if (all.has(name)) throw new TypeError(`There is already an app named "${name}": choose another name.`);
    return extensionOf(settings, new Map(all).set(name, options));
  };
  // Not enumerable: it is not a contribution.
  Object.defineProperty(contributions, 'app', { value: app });
  return defineExtension<typeof extensionId, AppToolOptions<Name>>(contributions) as Apps<Name>;
}

/** The resources of the apps, in each server that has the extension. */
class ServedApps {
  readonly #sources: ReadonlyMap<string, { readonly options: AppOptions; readonly source: AppSource }>;
  readonly #watch: boolean;
  readonly #entries: EntryRegistrar[] = [];
  #started = 0;
  #stops: (() => void)[] = [];

  constructor({ watch, ...settings }: Settings, all: All) {
    this.#watch = watch;
    this.#sources = new Map(
      [...all].map(([name, options]) => [name, { options, source: new AppSource(name, options, settings) }]),
    );
  }

  register(entries: EntryRegistrar): void {
    this.#entries.push(entries);
    for (const [name, { options, source }] of this.#sources) {
      const uri = uriOf(name, options);
      const meta = resourceMeta(options);
      const { title, description } = options;
      entries.resource(
        uri,
        {
          name,
          mimeType: appMimeType,
          ...(title !== undefined && { title }),
          ...(description !== undefined && { description }),
          ...(meta !== undefined && { meta }),
        },
        async () => ({
          uri,
          mimeType: appMimeType,
          text: await source.read(),
          ...(meta !== undefined && { _meta: meta }),
        }),
      );
    }
  }

  start({ clock, onError }: ExtensionHost): void {
    this.#started += 1;
    if (!this.#watch || this.#started > 1) return;
    for (const [name, { options, source }] of this.#sources) {
      const changed = () => {
        for (const entries of this.#entries) entries.resourceUpdated(uriOf(name, options));
      };
      this.#stops.push(source.watch({ clock, changed, failed: (error) => onError(error, `app "${name}"`) }));
    }
  }

  stop(): void {
    this.#started -= 1;
    if (this.#started > 0) return;
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }
}

function uriOf(name: string, { uri = `ui://${name}` }: AppOptions): string {
  return uri;
}

function resourceMeta({ csp, permissions, domain, prefersBorder }: AppOptions): Meta | undefined {
  const ui = {
    ...(csp !== undefined && { csp }),
    ...(permissions !== undefined && { permissions: permissionsOnWire(permissions) }),
    ...(domain !== undefined && { domain }),
    ...(prefersBorder !== undefined && { prefersBorder }),
  };
  return Object.keys(ui).length === 0 ? undefined : { ui };
}

function toolMeta(option: ToolUiOption | undefined, all: All): Meta {
  const { app, visibility } =
    typeof option === 'string' ? { app: option } : { app: undefined, visibility: undefined, ...option };
  const options = app === undefined ? undefined : all.get(app);
  const uri = app === undefined || options === undefined ? undefined : uriOf(app, options);
  return {
    ui: { ...(uri !== undefined && { resourceUri: uri }), ...(visibility !== undefined && { visibility }) },
    // Hosts from before the first stable version read only this key.
    ...(uri !== undefined && { 'ui/resourceUri': uri }),
  };
}

function toolOptionProblem(value: unknown, all: All): string | undefined {
  if (typeof value === 'string') return nameProblem(value, all);
  if (!isRecord(value)) return 'must be the name of an app, or an object with "app" and "visibility"';
  const { app, visibility, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) return `has no member "${other}"; use app, visibility`;
  if (app === undefined && visibility === undefined) return 'needs "app" or "visibility"';
  const problem = visibility === undefined ? undefined : visibilityProblem(visibility);
  if (problem !== undefined) return `.visibility ${problem}`;
  return app === undefined ? undefined : nameProblem(app, all);
}

function nameProblem(name: unknown, all: All): string | undefined {
  if (typeof name === 'string' && all.has(name)) return undefined;
  const names = [...all.keys()].join(', ') || 'none; add one with apps().app(name, { file })';
  return `names no app of the extension: ${JSON.stringify(name)?.slice(0, 100)} is not one of ${names}`;
}

function isDevelopment(): boolean {
  return globalThis.process?.env.NODE_ENV === 'development';
}
