import type { ToolInput, ToolName, ToolOutput, ToolResult } from '@tenon/mcp-client';
import type {
  CallToolResult,
  ContentBlock,
  ContractOf,
  Implementation,
  LogLevel,
  ReadResourceResult,
} from '@tenon/mcp-protocol';
import type { DisplayMode, HostCapabilities, HostContext } from './model/host-context.js';
import { appsVersion } from './revisions/version.js';
import { type Channel, openChannel } from './view/channel.js';

export type { DisplayMode, HostCapabilities, HostContext } from './model/host-context.js';
export { HostRequestError } from './view/channel.js';

/** Options of {@link openView}. `S` is the type of the server, `Tool` the name of the tool with the app. */
export interface ViewOptions<S, Tool extends string> {
  readonly info: Implementation;
  /** The display modes that the view supports. Default: `inline`. */
  readonly displayModes?: readonly DisplayMode[];
  /** Receives the arguments of the call, once. */
  readonly onInput?: (args: ToolInput<ContractOf<S>, Tool>) => void;
  /** Receives arguments while the model writes them. Members may be missing. */
  readonly onPartialInput?: (args: Partial<ToolInput<ContractOf<S>, Tool>>) => void;
  /** Receives the result of the call. */
  readonly onResult?: (result: ToolResult<ToolOutput<ContractOf<S>, Tool>>) => void;
  readonly onCancelled?: (reason: string | undefined) => void;
  /** Receives the whole context after each change. */
  readonly onContext?: (context: HostContext) => void;
  /** Called before the host removes the view. The host waits for a short time. */
  readonly onTeardown?: () => unknown;
  /** Applies the host's theme, CSS variables and fonts to the document. Default: true. */
  readonly theme?: boolean;
  /** Reports the size of the document to the host when it changes. Default: true. */
  readonly resize?: boolean;
}

/** The host, for a view. Calls reject with a `HostRequestError` if the host refuses them. */
export interface View<S = unknown> {
  readonly host: Implementation;
  readonly capabilities: HostCapabilities;
  readonly context: HostContext;
  /** Calls a tool of the view's server. It must have the visibility `app`. */
  callTool<N extends ToolName<ContractOf<S>> | (unknown extends S ? string : never)>(
    name: N,
    args?: ToolInput<ContractOf<S>, N>,
  ): Promise<ToolResult<ToolOutput<ContractOf<S>, N>>>;
  /** Reads a resource of the view's server. */
  readResource(uri: string): Promise<ReadResourceResult>;
  /** Opens a page outside of the host. */
  openLink(url: string): Promise<void>;
  /** Adds a message of the user to the conversation. */
  sendMessage(content: string | readonly ContentBlock[]): Promise<void>;
  /** Replaces the context that the model receives with its next turn. */
  updateModelContext(context: {
    readonly content?: readonly ContentBlock[];
    readonly structuredContent?: { readonly [key: string]: unknown };
  }): Promise<void>;
  /** Returns the mode that the host has chosen: the present one if it does not support the requested one. */
  requestDisplayMode(mode: DisplayMode): Promise<DisplayMode>;
  log(level: LogLevel, data: unknown, logger?: string): void;
  /** Reports a size in pixels, if `resize` is false. */
  reportSize(size: { readonly width?: number; readonly height?: number }): void;
  close(): void;
}

interface Initialized {
  readonly hostInfo: Implementation;
  readonly hostCapabilities?: HostCapabilities;
  readonly hostContext?: HostContext;
}

/**
 * Connects this document to its host. Call it once, in the script of an app. `openView<typeof server, 'draw'>` types the input and result
 * of the tool `draw`, and calls of other tools.
 * @throws HostRequestError if the host rejects the view or does not answer.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#lifecycle
 */
export async function openView<S = unknown, Tool extends string = string>(
  options: ViewOptions<S, Tool>,
): Promise<View<S>> {
  const { info, displayModes = ['inline'], resize = true } = options;
  const listeners = options as unknown as Listeners;
  const state = { context: {} };
  const channel = openChannel((method, params) => receive(listeners, state, { method, params }));
  try {
    const answer = (await channel.request('ui/initialize', {
      appInfo: info,
      appCapabilities: { availableDisplayModes: displayModes },
      protocolVersion: appsVersion,
    })) as Initialized;
    merge(listeners, state, answer.hostContext ?? {});
    channel.notify('ui/notifications/initialized', {});
    const stop = resize ? reportSizes(channel) : () => {};
    return viewOf(channel, state, { answer, stop }) as unknown as View<S>;
  } catch (error) {
    channel.close();
    throw error;
  }
}

type Listeners = Omit<ViewOptions<unknown, string>, 'info'>;

interface State {
  context: HostContext;
}

function merge({ theme = true }: Listeners, state: State, more: HostContext): void {
  state.context = { ...state.context, ...more };
  if (theme) applyTheme(more);
}

async function receive(
  options: Listeners,
  state: State,
  { method, params }: { readonly method: string; readonly params: object },
): Promise<object | undefined> {
  const { arguments: args = {}, reason } = params as { arguments?: object; reason?: string };
  switch (method) {
    case 'ping':
      return {};
    case 'ui/resource-teardown':
      await options.onTeardown?.();
      return {};
    case 'ui/notifications/tool-input':
      options.onInput?.(args as never);
      return {};
    case 'ui/notifications/tool-input-partial':
      options.onPartialInput?.(args as never);
      return {};
    case 'ui/notifications/tool-result':
      options.onResult?.({ isError: false, ...(params as CallToolResult) } as never);
      return {};
    case 'ui/notifications/tool-cancelled':
      options.onCancelled?.(reason);
      return {};
    case 'ui/notifications/host-context-changed':
      merge(options, state, params as HostContext);
      options.onContext?.(state.context);
      return {};
  }
  return undefined;
}

function viewOf(
  { request, notify, close }: Channel,
  state: State,
  { answer, stop }: { readonly answer: Initialized; readonly stop: () => void },
): View<unknown> {
  return {
    host: answer.hostInfo,
    capabilities: answer.hostCapabilities ?? {},
    get context() {
      return state.context;
    },
    callTool: async (name: string, args: object = {}) =>
      ({ isError: false, ...(await request('tools/call', { name, arguments: args })) }) as never,
    readResource: async (uri) => (await request('resources/read', { uri })) as ReadResourceResult,
    openLink: async (url) => {
      await request('ui/open-link', { url });
    },
    sendMessage: async (content) => {
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
      await request('ui/message', { role: 'user', content: blocks });
    },
    updateModelContext: async (context) => {
      await request('ui/update-model-context', context);
    },
    requestDisplayMode: async (mode) => {
      const { displayMode = 'inline', availableDisplayModes = [] } = state.context;
      if (!availableDisplayModes.includes(mode)) return displayMode;
      const result = (await request('ui/request-display-mode', { mode })) as { readonly mode: DisplayMode };
      return result.mode;
    },
    log: (level, data, logger) => notify('notifications/message', { level, data, logger }),
    reportSize: (size) => notify('ui/notifications/size-changed', size),
    close() {
      stop();
      close();
    },
  };
}

/** Reports the size of the document now and after each change, at most once for each frame that is drawn. */
function reportSizes(channel: Channel): () => void {
  const { documentElement: root } = document;
  let last = '';
  const observer = new ResizeObserver(() => {
    const { width, height } = root.getBoundingClientRect();
    const size = { width: Math.ceil(width), height: Math.ceil(height) };
    const text = `${size.width}x${size.height}`;
    if (text !== last) channel.notify('ui/notifications/size-changed', size);
    last = text;
  });
  observer.observe(root);
  return () => observer.disconnect();
}

const fontsId = 'mcp-host-fonts';

/** Applies the theme, CSS variables and fonts of the host to the document. */
function applyTheme({ theme, styles }: HostContext): void {
  const { documentElement: root, head } = document;
  if (theme !== undefined) {
    root.dataset.theme = theme;
    root.style.colorScheme = theme;
  }
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (name.startsWith('--') && value !== undefined) root.style.setProperty(name, value);
  const fonts = styles?.css?.fonts;
  if (typeof fonts !== 'string') return;
  const element = document.getElementById(fontsId) ?? head.appendChild(document.createElement('style'));
  element.id = fontsId;
  element.textContent = fonts;
}
