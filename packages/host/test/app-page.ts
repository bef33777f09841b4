import { readApp } from '@tenon/mcp-apps/client';
import { type AppHostOptions, type OpenApp, openApp } from '@tenon/mcp-apps/host';
import { onTestFinished, vi } from 'vitest';
import type { Host } from '../src/index.js';
import { info } from './hosted.js';

interface Posted {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string };
}

const page = 'https://host.example';
const sandbox = 'https://sandbox.example';

/** A view in the page of a host, which sends what a test says. */
export interface HostileView {
  readonly app: OpenApp;
  /** Everything that the view received. */
  readonly posted: readonly Posted[];
  /** The document and its declarations, as the sandbox received them. */
  readonly loaded: { readonly [key: string]: unknown };
  /** The attribute `allow` of the frame: the permissions that the browser gives. */
  readonly allow: string;
  readonly closed: readonly string[];
  readonly errors: readonly unknown[];
  /** Sends a message, by default from the frame of the sandbox and with its origin. */
  readonly send: (message: unknown, from?: { readonly source?: unknown; readonly origin?: string }) => void;
  /** Sends a request. Resolves with the response. */
  readonly request: (method: string, params?: object) => Promise<Posted>;
}

/**
 * Opens `ui://evil`, the app of the server `evil`, in a page of this host. The page has as much of the DOM as `openApp` uses, and its frame
 * is what the test sends: a browser with the sandbox page is in `tooling/browser/apps.test.js`.
 */
export async function openHostile(host: Host, options: Partial<AppHostOptions> = {}): Promise<HostileView> {
  const listeners = new Set<(event: object) => void>();
  const attributes = new Map<string, string>();
  const posted: Posted[] = [];
  const closed: string[] = [];
  const errors: unknown[] = [];
  const waiting = new Map<unknown, (response: Posted) => void>();
  let loaded: HostileView['loaded'] = {};
  const contentWindow = {
    postMessage(message: Posted, origin: string) {
      if (origin !== sandbox) throw new Error(`A message for ${origin}.`);
      if (message.method === 'ui/notifications/sandbox-resource-ready') {
        loaded = message.params ?? {};
        queueMicrotask(() => send({ id: 0, method: 'ui/initialize', params: {} }));
      } else if (message.id === 0) {
        queueMicrotask(() => send({ method: 'ui/notifications/initialized', params: {} }));
      } else {
        posted.push(structuredClone(message));
        if (message.method === undefined) waiting.get(message.id)?.(message);
      }
    },
  };
  const send: HostileView['send'] = (message, from = {}) => {
    const data = typeof message === 'object' ? { jsonrpc: '2.0', ...message } : message;
    const event = { source: contentWindow, origin: sandbox, ...from, data };
    for (const listener of [...listeners]) listener(event);
  };
  vi.stubGlobal('location', { href: `${page}/`, origin: page });
  vi.stubGlobal('addEventListener', (_: string, listener: (event: object) => void) =>
    listeners.add(listener),
  );
  vi.stubGlobal('removeEventListener', (_: string, listener: (event: object) => void) =>
    listeners.delete(listener),
  );
  vi.stubGlobal('document', {
    createElement: () => ({
      contentWindow,
      style: {},
      setAttribute: (name: string, value: string) => attributes.set(name, value),
      remove: () => {},
    }),
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const container = {
    clientWidth: 500,
    append: () => queueMicrotask(() => send({ method: 'ui/notifications/sandbox-proxy-ready' })),
  };
  const server = host.appServer('evil');
  const app = await openApp(container as never, {
    app: await readApp(server, 'ui://evil'),
    ...{ sandbox, server, info },
    onClosed: (reason) => closed.push(reason),
    onError: (error) => errors.push(error),
    ...options,
  });
  let ids = 0;
  return {
    ...{ app, posted, closed, errors, send },
    loaded,
    allow: attributes.get('allow') ?? '',
    request(method, params = {}) {
      const id = `r${++ids}`;
      const response = new Promise<Posted>((resolve) => waiting.set(id, resolve));
      send({ id, method, params });
      return response;
    },
  };
}
