import { isRecord } from '@tenon/foundation';
import { type Client, type ClientExtension, type Resource, SessionError } from '@tenon/mcp-client';
import { defineExtension } from '@tenon/mcp-client/extension';
import {
  type AppMeta,
  type AppResource,
  appMimeType,
  extensionId,
  longestHtml,
  readAppMeta,
} from './model/app-metadata.js';
import { isAppUri, longestUri } from './model/tool-ui.js';

export { createAppServer, toolsFor, type VisibleTools } from './client/visible-tools.js';
export type { AppResource, AppServer } from './model/app-metadata.js';
export {
  type AppCsp,
  type AppMeta,
  type AppPermission,
  appMimeType,
  extensionId,
} from './model/app-metadata.js';
export { isVisibleTo, type ToolCaller, type ToolUi, toolUi } from './model/tool-ui.js';

/**
 * The extension MCP Apps of a client, for `connect(target, { extensions: [apps()] })`. It declares that the client shows apps. Only hosts that
 * do may declare it.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#clientserver-capability-negotiation
 */
export function apps(): ClientExtension<typeof extensionId> {
  return defineExtension({ id: extensionId, settings: { mimeTypes: [appMimeType] }, external: true });
}

/** Options of {@link readApp}. */
export interface ReadAppOptions {
  /** The entry of the app in the list of resources. Its metadata apply if the contents have none. */
  readonly listed?: Pick<Resource, '_meta'>;
  readonly signal?: AbortSignal;
}

/**
 * Reads an app from its server, and checks its URI, media type, size and declarations.
 * @param uri - `toolUi(tool).uri`.
 * @throws TypeError if the URI is not one of an app; SessionError `invalid-answer` if the contents are not an app, or declare anything but
 * origins; and the errors of `client.readResource`.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#ui-resource-format
 */
export async function readApp(
  client: Pick<Client, 'readResource'>,
  uri: string,
  { listed, signal }: ReadAppOptions = {},
): Promise<AppResource> {
  if (!isAppUri(uri))
    throw new TypeError(
      `readApp: the URI of an app begins with ui:// and has at most ${longestUri} characters.`,
    );
  const { contents } = await client.readResource(uri, signal === undefined ? {} : { signal });
  const item = contents.find((one) => one.uri === uri);
  if (item === undefined) throw invalid(uri, 'has no contents with its URI');
  if (item.mimeType !== appMimeType)
    throw invalid(
      uri,
      `has the media type ${JSON.stringify(item.mimeType)?.slice(0, 100)}, not "${appMimeType}"`,
    );
  // Four characters of base64 are three bytes, and a character of the document has at most four bytes in UTF-8.
  if ('blob' in item && item.blob.length > longestHtml * 6)
    throw invalid(uri, `has more than ${longestHtml} characters`);
  const html = 'text' in item ? item.text : decoded(item.blob);
  if (html === undefined) throw invalid(uri, 'has a blob that is not UTF-8 text in base64');
  if (html.length > longestHtml)
    throw invalid(uri, `has ${html.length} characters, more than ${longestHtml}`);
  if (html.trim() === '') throw invalid(uri, 'is empty');
  return { uri, html, ...metaOf(uri, uiOf(item._meta) ?? uiOf(listed?._meta)) };
}

function uiOf(meta: unknown): unknown {
  return isRecord(meta) ? meta.ui : undefined;
}

function metaOf(uri: string, ui: unknown): AppMeta {
  try {
    return readAppMeta(ui);
  } catch (error) {
    throw invalid(uri, `is refused: ${(error as Error).message}`);
  }
}

/** Returns the text of base64; undefined if it is malformed. */
function decoded(blob: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(blob), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function invalid(uri: string, problem: string): SessionError {
  return new SessionError('invalid-answer', `The app "${uri.slice(0, 200)}" ${problem}.`);
}
