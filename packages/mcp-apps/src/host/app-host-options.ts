import type { ContentBlock, Implementation, LogParams } from '@tenon/mcp-protocol';
import type { AppPermission, AppResource, AppServer } from '../model/app-metadata.js';
import type { DisplayMode, HostContext } from '../model/host-context.js';

/** Bounds of one view. */
export const viewBounds = {
  /** Messages of the view in one second, and at once. More are refused. */
  messagesPerSecond: 100,
  /** Messages that are refused in all until the view is closed. */
  refusedMessages: 1_000,
  /** Characters of one message of the view as JSON. A larger one is refused. */
  messageSize: 1_048_576,
  /** Requests of the view at the same time. More are answered with an error. */
  pendingRequests: 16,
  /** Pixels of the frame, whatever size the view reports. */
  size: 10_000,
  /** Milliseconds until the sandbox has loaded and the view is initialized. */
  openTime: 30_000,
  /** Milliseconds for the view to save its data before it is removed. */
  teardownTime: 1_000,
};

export type ViewBounds = typeof viewBounds;

/** A message that a view adds to the conversation. */
export interface ViewMessage {
  readonly role: 'user';
  readonly content: readonly ContentBlock[];
}

/** Context for the model: each one replaces the one before. */
export interface ModelContext {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: { readonly [key: string]: unknown };
}

/** A size that a view reports, in pixels, within the dimensions of the container. */
export interface ViewSize {
  readonly width?: number;
  readonly height?: number;
}

/** Options of `openApp`. A feature without a handler is not offered to the view. */
export interface AppHostOptions {
  /** The app, as `readApp` of `/client` returned it. */
  readonly app: AppResource;
  /**
   * The page that `sandboxPage` or `sandboxHandler` serves, on an origin of its own: never the origin of this page, and none with
   * cookies or data.
   */
  readonly sandbox: string | URL;
  readonly info: Implementation;
  /** The server of the app. Default: the view can call no tools and read no resources. */
  readonly server?: AppServer;
  readonly context?: HostContext;
  /** The permissions that views may have, if they request them. Default: none. */
  readonly permissions?: readonly AppPermission[];
  /**
   * Opens a page for the view; returns false to refuse. Only `http:` and `https:` arrive here, without user names. Show the user the whole
   * address, and ask.
   */
  readonly onOpenLink?: (url: URL) => unknown;
  /** Allows links to this machine and to bare numbers, for a server that you trust. Default: false. */
  readonly localLinks?: boolean;
  /**
   * Adds a message to the conversation; returns false to refuse. The content is as the view sent it, with characters that a model reads
   * and a user does not see: remove these, then show it to the user, and ask.
   */
  readonly onMessage?: (message: ViewMessage) => unknown;
  /** Keeps the context for the next turn of the model; returns false to refuse. The content is as the view sent it. */
  readonly onModelContext?: (context: ModelContext) => unknown;
  /** Changes the display mode and returns the mode in use. Only modes that host and view support arrive here. */
  readonly onDisplayMode?: (mode: DisplayMode) => DisplayMode | Promise<DisplayMode>;
  readonly onLog?: (message: LogParams) => unknown;
  /** Called after the frame has been resized. */
  readonly onSize?: (size: ViewSize) => unknown;
  /** Receives each request of the view before it is handled, for an audit log. */
  readonly onRequest?: (method: string, params: { readonly [key: string]: unknown }) => unknown;
  /** Called once when the view has been removed; `reason` is the cause, such as too many messages. */
  readonly onClosed?: (reason: string) => unknown;
  /** Receives refused messages and errors of handlers. */
  readonly onError?: (error: unknown, where: string) => unknown;
}
