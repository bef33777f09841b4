import {
  type Clock,
  constantsOf,
  optionRules,
  requireOptions,
  systemClock,
  withDeadline,
} from '@tenon/foundation';
import { type Icon, SessionError, TransportError } from '@tenon/mcp-protocol';
import { isUrl } from '@tenon/mcp-protocol/internal';
import { iconProblem } from './icons.js';
import { type ImageType, imageFacts } from './image-type.js';

/** The allowed origins of icons. */
export interface IconOptions {
  /** The URL of the server, or its origin. Without it, only images inside the icon and of `origins` are loaded. */
  readonly origin?: string | URL;
  /** Further origins of icons, such as `https://cdn.example`. */
  readonly origins?: readonly string[];
  /** Loads SVG too, which may have scripts: show it only where they do not run, as in an `img` element. Default: false. */
  readonly svg?: boolean;
  /** Milliseconds in total. Default: 10,000. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
  readonly clock?: Clock;
}

/** An icon that is safe to show. */
export interface LoadedIcon {
  /** The type of the bytes, whatever was declared. */
  readonly type: ImageType;
  readonly bytes: Uint8Array;
  /** True if it may have scripts and addresses: show it only where they have no effect. */
  readonly needsSandbox: boolean;
}

const mostRedirects = 3;
/** Bytes of an image, and pixels of each side. */
const bounds = { bytes: 1_048_576, side: 2_048 };

/**
 * Loads an icon of a server that may be hostile: from the server's own origin, without credentials, within
 * limits, and only if its bytes are an image of a known type and of the declared type.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/index#icons
 * @throws SessionError `refused` for an icon that must not be loaded, `limit`, `timeout`, `cancelled`, `invalid-answer` for
 * other bytes; TransportError if it cannot be loaded; TypeError or RangeError for invalid options.
 */
export async function loadIcon(icon: Icon, options: IconOptions = {}): Promise<LoadedIcon> {
  requireIconOptions(options);
  const { svg = false } = options;
  const { bytes: most, side } = constantsOf(bounds, options);
  // Base64 has four characters for three bytes; percent-encoding at most three times that.
  const problem = iconProblem(icon, most * 4);
  if (problem !== undefined) throw new SessionError('refused', `The icon is not loaded: ${problem}.`);
  const { bytes, promised } = /^data:/i.test(icon.src)
    ? unpack(icon.src)
    : await inTime(options, (signal) => fetchImage(icon.src, { ...options, bytes: most, signal }));
  if (bytes.length > most) throw tooLarge(most);
  const facts = imageFacts(bytes);
  if (facts === undefined) throw notAsPromised('its bytes are not a still PNG, JPEG, WebP or SVG image');
  const { type, width, height } = facts;
  const needsSandbox = type === 'image/svg+xml';
  if (needsSandbox && !svg) throw new SessionError('refused', 'The icon is SVG, which may hold scripts.');
  for (const said of [promised, icon.mimeType]) {
    if (said !== undefined && !agrees(said, type))
      throw notAsPromised(`it is ${type}, not ${said.slice(0, 80)}`);
  }
  if (width > side || height > side) {
    throw new SessionError('limit', `The icon has ${width} by ${height} pixels; each side may have ${side}.`);
  }
  return { type, bytes, needsSandbox };
}

function requireIconOptions(options: IconOptions): void {
  const { callable, flag, object, positive } = optionRules;
  const isAddress = (value: unknown) => isUrl(String(value));
  requireOptions('loadIcon', options, {
    origin: { is: 'a URL', allows: isAddress },
    origins: {
      is: 'a list of URLs',
      allows: (value) => Array.isArray(value) && value.every(isAddress),
    },
    svg: flag,
    timeout: positive,
    signal: object,
    fetch: callable,
    clock: object,
  });
}

interface Image {
  readonly bytes: Uint8Array;
  /** The declared type, if it is meaningful. */
  readonly promised: string | undefined;
}

interface FetchSettings extends IconOptions {
  readonly bytes: number;
  readonly signal: AbortSignal;
}

async function fetchImage(src: string, settings: FetchSettings): Promise<Image> {
  const { signal, fetch = globalThis.fetch, bytes } = settings;
  requireOrigin(src, settings);
  let url = src;
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, {
      signal,
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: { accept: 'image/png, image/jpeg, image/webp, image/svg+xml' },
    });
    // A custom fetch may follow redirects by itself.
    const stayed = response.url === '' || new URL(response.url).origin === new URL(src).origin;
    if (response.ok && stayed) {
      return { bytes: await readWithin(response, bytes), promised: typeOf(response) };
    }
    await response.body?.cancel();
    if (!stayed) throw elsewhere();
    const { status } = response;
    if (!redirecting.has(status)) {
      throw new TransportError(`The icon could not be had: status ${status}.`, { status });
    }
    const location = response.headers.get('location') ?? '';
    const next = isUrl(location, url) ? new URL(location, url) : undefined;
    if (next?.origin !== new URL(url).origin || redirects >= mostRedirects) {
      throw elsewhere();
    }
    url = next.href;
  }
}

const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function requireOrigin(src: string, { origin, origins = [] }: IconOptions): void {
  const { origin: from } = new URL(src);
  if (origin !== undefined && new URL(origin).origin === from) return;
  if (origins.some((one) => new URL(one).origin === from)) return;
  throw new SessionError('refused', `The icon is not loaded: ${from} is not the origin of the server.`);
}

async function readWithin(response: Response, most: number): Promise<Uint8Array> {
  if (Number(response.headers.get('content-length')) > most) {
    await response.body?.cancel();
    throw tooLarge(most);
  }
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || value === undefined) break;
    length += value.length;
    if (length > most) {
      await reader?.cancel();
      throw tooLarge(most);
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Runs a task with a time limit and the caller's signal. */
async function inTime<T>(
  { timeout = 10_000, signal, clock = systemClock }: IconOptions,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = () => new SessionError('timeout', `The icon did not come within ${timeout} ms.`);
  const aborted = (cause: unknown) =>
    new SessionError('cancelled', 'Loading the icon was cancelled.', { cause });
  try {
    return await withDeadline({ clock, ms: timeout, holds: true, signal, late, aborted }, task);
  } catch (error) {
    if (error instanceof SessionError || error instanceof TransportError) throw error;
    throw new TransportError('The icon could not be had.', { cause: error });
  }
}

function unpack(src: string): Image {
  const comma = src.indexOf(',');
  const [type = '', ...rest] = src.slice('data:'.length, comma).split(';');
  try {
    if (comma < 0) throw new SyntaxError('There is no comma.');
    const text = decodeURIComponent(src.slice(comma + 1));
    const isBase64 = rest.at(-1)?.trim().toLowerCase() === 'base64';
    const bytes = isBase64
      ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
      : new TextEncoder().encode(text);
    return { bytes, promised: type };
  } catch (error) {
    throw notAsPromised('its data cannot be read', error);
  }
}

/** Returns the declared type of a response; undefined for plain bytes. */
function typeOf(response: Response): string | undefined {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim();
  return type === '' || type === 'application/octet-stream' ? undefined : type;
}

function agrees(said: string, type: ImageType): boolean {
  const name = said.split(';')[0]?.trim().toLowerCase();
  return name === type || (name === 'image/jpg' && type === 'image/jpeg');
}

function elsewhere(): SessionError {
  return new SessionError('refused', 'The icon is not loaded: it was redirected elsewhere, or too often.');
}

function tooLarge(most: number): SessionError {
  return new SessionError('limit', `The icon has more than ${most} bytes.`);
}

function notAsPromised(why: string, cause?: unknown): SessionError {
  return new SessionError('invalid-answer', `The icon is not loaded: ${why}.`, { cause });
}
