import { constantsOf, systemClock, withinTime } from '@tenon/foundation';
import type { CallToolResult } from '@tenon/mcp-protocol';
import { type AppHostOptions, type ViewBounds, type ViewSize, viewBounds } from './host/app-host-options.js';
import { sandboxAddress } from './host/sandbox-page.js';
import { grantedTo, ViewSession } from './host/view-session.js';
import { cspProblem, longestHtml, permissionsOnWire } from './model/app-metadata.js';
import type { HostContext } from './model/host-context.js';

export type {
  AppHostOptions,
  ModelContext,
  ViewMessage,
  ViewSize,
} from './host/app-host-options.js';
export { type SandboxOptions, type SandboxPage, sandboxHandler, sandboxPage } from './host/sandbox-page.js';
export type { AppCsp, AppMeta, AppPermission, AppResource, AppServer } from './model/app-metadata.js';
export type { DisplayMode, HostContext } from './model/host-context.js';

/** A view that is open in a page. */
export interface OpenApp {
  readonly frame: HTMLIFrameElement;
  readonly context: HostContext;
  /** Sends arguments as far as the model has written them. Ignored after the whole input. */
  partialInput(args: object): void;
  /** Sends the arguments of the call. @throws TypeError if they were sent already. */
  input(args: object): void;
  /** Sends the result of the call. @throws TypeError if no input was sent. */
  result(result: CallToolResult): void;
  cancelled(reason: string): void;
  /** Sends the arguments, then the result, or that the call was cancelled if it rejects. Rejects like the call. */
  show(args: object, result: PromiseLike<CallToolResult>): Promise<void>;
  /** Changes the context of the view. @throws TypeError for a display mode that the view does not support. */
  update(changes: HostContext): void;
  /** Removes the view, which may save its data before for at most a second. */
  close(reason?: string): Promise<void>;
}

/** The sandbox of the outer frame, as the specification has it; the frame of the view inside has less. */
const outerSandbox = 'allow-scripts allow-same-origin allow-forms';
const features = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
} as const;

/**
 * Opens an app in a page: a frame of the sandbox's origin with the view inside. Resolves when the view is initialized.
 * @throws TypeError or RangeError if an option is malformed, or the sandbox has the origin of this page; Error if the view is not
 * initialized within 30 seconds.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#sandbox-proxy
 */
export async function openApp(container: Element, options: AppHostOptions): Promise<OpenApp> {
  const bounds = constantsOf(viewBounds, options);
  requireSound(options);
  const sandbox = new URL(options.sandbox, location.href);
  if (sandbox.origin === location.origin || !/^https?:$/.test(sandbox.protocol))
    throw new TypeError(
      `openApp: the sandbox must have another origin than this page, ${location.origin}: a view could read this page's data.`,
    );
  const context = { containerDimensions: dimensionsOf(container, bounds), ...options.context };
  const frame = frameOf(options, sandbox);
  return new Promise((resolve, reject) => {
    let closing = () => {};
    const timer = setTimeout(
      () => session.close(`The view was not initialized within ${bounds.openTime} ms.`),
      bounds.openTime,
    );
    const session = new ViewSession({ ...options, context }, bounds, {
      post: (message) => frame.contentWindow?.postMessage(message, sandbox.origin),
      now: () => performance.now(),
      resize: (size) => resize(frame, size, { options, context: session.context, bounds }),
      initialized: () => {
        clearTimeout(timer);
        resolve(opened(frame, session, bounds));
      },
      remove: (reason) => {
        clearTimeout(timer);
        closing();
        frame.remove();
        reject(new Error(`openApp: ${reason}`));
        options.onClosed?.(reason);
      },
    });
    closing = listen(frame, sandbox.origin, { session, options });
    container.append(frame);
  });
}

/** Passes messages of the sandbox to the session. Returns a function that ends this. */
function listen(
  frame: HTMLIFrameElement,
  origin: string,
  { session, options }: { readonly session: ViewSession; readonly options: AppHostOptions },
): () => void {
  let isLoaded = false;
  const { html, csp } = options.app;
  const listener = ({ source, origin: from, data }: MessageEvent) => {
    if (source !== frame.contentWindow || from !== origin) return;
    if (data?.method !== 'ui/notifications/sandbox-proxy-ready') return session.receive(data);
    if (isLoaded) return session.close('The sandbox page was loaded again.');
    isLoaded = true;
    const params = { html, csp, permissions: permissionsOnWire(grantedTo(options)) };
    frame.contentWindow?.postMessage(
      { jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params },
      origin,
    );
  };
  addEventListener('message', listener);
  return () => removeEventListener('message', listener);
}

function opened(frame: HTMLIFrameElement, session: ViewSession, { teardownTime }: ViewBounds): OpenApp {
  return {
    frame,
    get context() {
      return session.context;
    },
    partialInput: (args) => session.partialInput(args),
    input: (args) => session.input(args),
    result: (result) => session.result(result),
    cancelled: (reason) => session.cancelled(reason),
    async show(args, result) {
      session.input(args);
      try {
        session.result(await result);
      } catch (error) {
        session.cancelled(String(error));
        throw error;
      }
    },
    update: (changes) => session.update(changes),
    async close(reason = 'The host closed the view.') {
      await withinTime(session.teardown(reason), { clock: systemClock, ms: teardownTime, holds: true });
      session.close(reason);
    },
  };
}

function frameOf(options: AppHostOptions, sandbox: URL): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', outerSandbox);
  frame.setAttribute(
    'allow',
    grantedTo(options)
      .map((name) => `${features[name]} *`)
      .join('; '),
  );
  frame.setAttribute('referrerpolicy', 'origin');
  frame.style.width = '100%';
  frame.style.border = options.app.prefersBorder === true ? '1px solid' : '0';
  frame.src = sandboxAddress(sandbox, options.app.csp);
  return frame;
}

function dimensionsOf(
  container: Element,
  { size }: ViewBounds,
): NonNullable<HostContext['containerDimensions']> {
  return { width: container.clientWidth, maxHeight: size };
}

/** Applies a size that the view reports, within the dimensions of the container. */
function resize(
  frame: HTMLIFrameElement,
  reported: { readonly [key: string]: unknown },
  { options, context, bounds }: { options: AppHostOptions; context: HostContext; bounds: ViewBounds },
): void {
  const { containerDimensions: most = {} } = context;
  const height = most.height === undefined ? pixels(reported.height, most.maxHeight, bounds) : undefined;
  const width = most.width === undefined ? pixels(reported.width, most.maxWidth, bounds) : undefined;
  if (height !== undefined) frame.style.height = `${height}px`;
  if (width !== undefined) frame.style.width = `${width}px`;
  const size: ViewSize = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
  if (width !== undefined || height !== undefined) options.onSize?.(size);
}

function pixels(value: unknown, most: number | undefined, { size }: ViewBounds): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined;
  return Math.min(Math.ceil(value), most ?? size, size);
}

/** @throws TypeError if the app is too large, or declares anything but origins. */
function requireSound({ app }: AppHostOptions): void {
  if (typeof app?.html !== 'string' || app.html.length > longestHtml)
    throw new TypeError(`openApp: the app needs "html" with at most ${longestHtml} characters.`);
  const problem = cspProblem(app.csp);
  if (problem !== undefined) throw new TypeError(`openApp: csp${problem}.`);
}
