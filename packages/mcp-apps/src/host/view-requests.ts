import { isRecord } from '@tenon/foundation';
import { type ContentBlock, ErrorCode, RpcError } from '@tenon/mcp-protocol';
import { isOneOf } from '../model/app-metadata.js';
import { type DisplayMode, displayModes } from '../model/host-context.js';
import { isVisibleTo } from '../model/tool-ui.js';
import type { AppHostOptions } from './app-host-options.js';

type Params = { readonly [key: string]: unknown };

/** The state of a view that its requests read and change. */
export interface ViewState {
  readonly options: AppHostOptions;
  /** The modes that the view declared; undefined if it declared none. */
  readonly appModes: readonly DisplayMode[] | undefined;
  /** The mode in use, and the modes of the host. */
  displayMode: DisplayMode;
  readonly hostModes: readonly DisplayMode[];
}

type Handler = (params: Params, view: ViewState, signal: AbortSignal) => Promise<object>;

/** JSON-RPC's code for an error of the application: the user or the policy of the host refused. */
const refused = -32_000;

/** Hosts that are this machine, or a bare number in a private network. An address is a number in whatever form it was written. */
const localHost = /^(?:(?:.+\.)?localhost\.?|\[.+|[\d.]+)$/;

const longestUri = 8_192;
const longestName = 128;

/** The requests of views, by method. All others are unknown. */
export const viewRequests: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['ping', async () => ({})],
  ['tools/call', callTool],
  ['resources/read', readResource],
  ['ui/open-link', openLink],
  ['ui/message', sendMessage],
  ['ui/update-model-context', updateModelContext],
  ['ui/request-display-mode', requestDisplayMode],
]);

/** https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#visibility */
async function callTool(params: Params, { options }: ViewState, signal: AbortSignal): Promise<object> {
  const { name, arguments: args = {} } = params;
  const server = offered(options.server, 'tools/call');
  if (typeof name !== 'string' || !isRecord(args)) throw invalid('tools/call needs "name" and "arguments"');
  const tool = name.length > longestName ? undefined : await server.tool(name, { signal });
  // A hidden tool and one that does not exist have the same error.
  if (tool === undefined || !isVisibleTo('app', tool))
    throw invalid(`Unknown tool: ${name.slice(0, longestName)}`);
  return server.callTool(name, args, { signal });
}

async function readResource({ uri }: Params, { options }: ViewState, signal: AbortSignal): Promise<object> {
  const server = offered(options.server, 'resources/read');
  if (typeof uri !== 'string' || uri.length > longestUri) throw invalid('resources/read needs "uri", a text');
  return server.readResource(uri, { signal });
}

async function openLink({ url }: Params, { options }: ViewState): Promise<object> {
  const onOpenLink = offered(options.onOpenLink, 'ui/open-link');
  if (typeof url !== 'string' || url.length > longestUri || !URL.canParse(url)) throw invalid('Invalid URL');
  const parsed = new URL(url);
  if (!['http:', 'https:'].includes(parsed.protocol))
    throw invalid('Only http: and https: links can be opened');
  // A name before the host makes the address look like another one.
  if (parsed.username !== '' || parsed.password !== '') throw invalid('Links cannot have a user name');
  if (options.localLinks !== true && localHost.test(parsed.hostname))
    throw new RpcError(refused, 'Links to this machine or to a bare number are not opened');
  if ((await onOpenLink(parsed)) === false) throw new RpcError(refused, 'The link was not opened');
  return {};
}

async function sendMessage({ role, content }: Params, { options }: ViewState): Promise<object> {
  const onMessage = offered(options.onMessage, 'ui/message');
  if (role !== 'user') throw invalid('ui/message needs the role "user"');
  // The specification has one block, and the SDK of its authors a list.
  const blocks = blocksOf(Array.isArray(content) ? content : [content], 'ui/message');
  if ((await onMessage({ role, content: blocks })) === false)
    throw new RpcError(refused, 'The message was not sent');
  return {};
}

async function updateModelContext(params: Params, { options }: ViewState): Promise<object> {
  const onModelContext = offered(options.onModelContext, 'ui/update-model-context');
  const { content, structuredContent } = params;
  if (structuredContent !== undefined && !isRecord(structuredContent))
    throw invalid('"structuredContent" must be an object');
  if (content !== undefined && !Array.isArray(content)) throw invalid('"content" must be a list');
  const answer = await onModelContext({
    ...(content !== undefined && { content: blocksOf(content, 'ui/update-model-context') }),
    ...(structuredContent !== undefined && { structuredContent }),
  });
  if (answer === false) throw new RpcError(refused, 'The context was not accepted');
  return {};
}

/** https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#display-modes */
async function requestDisplayMode({ mode }: Params, view: ViewState): Promise<object> {
  if (!isOneOf(displayModes, mode)) throw invalid(`"mode" must be one of ${displayModes.join(', ')}`);
  const { options, hostModes } = view;
  if (options.onDisplayMode === undefined || !hostModes.includes(mode) || !mayShow(view, mode))
    return { mode: view.displayMode };
  const chosen = await options.onDisplayMode(mode);
  if (isOneOf(displayModes, chosen) && mayShow(view, chosen)) view.displayMode = chosen;
  return { mode: view.displayMode };
}

/** True if the view supports a mode, as far as it declared any. */
export function mayShow({ appModes }: Pick<ViewState, 'appModes'>, mode: DisplayMode): boolean {
  return appModes === undefined || appModes.includes(mode);
}

function blocksOf(content: readonly unknown[], method: string): readonly ContentBlock[] {
  const isBlock = (one: unknown) => isRecord(one) && typeof one.type === 'string';
  if (content.length === 0 || !content.every(isBlock))
    throw invalid(`${method} needs "content", a list of content blocks`);
  return content as readonly ContentBlock[];
}

function offered<T>(handler: T | undefined, method: string): T {
  if (handler !== undefined) return handler;
  throw new RpcError(ErrorCode.methodNotFound, `Method not found: ${method}`);
}

function invalid(problem: string): RpcError {
  return new RpcError(ErrorCode.invalidParams, problem);
}
