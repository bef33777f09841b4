import { otherBounds } from '@tenon/foundation';
import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { bytesOf, dataOf, jpegOf, pngOf, svgOf, webpOf } from '../../test/images.js';
import { type IconOptions, loadIcon } from './load-icon.js';

const origin = 'https://server.example/mcp';
const src = 'https://server.example/icon.png';
const png = pngOf(48, 48);

/** A network that holds what is given. */
class Network {
  readonly seen: { url: string; init: RequestInit }[] = [];
  readonly #answers: Readonly<Record<string, () => Response | Promise<Response>>>;

  constructor(answers: Readonly<Record<string, () => Response | Promise<Response>>>) {
    this.#answers = answers;
  }

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    this.seen.push({ url, init });
    return this.#answers[url]?.() ?? new Response('', { status: 404 });
  };
}

const serving = (bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  new Network({ [src]: () => new Response(bytes, { headers }) });

const load = (network: Network, options: IconOptions = {}, mimeType?: string) =>
  loadIcon({ src, ...(mimeType && { mimeType }) }, { origin, fetch: network.fetch, ...options });

describe('an icon of the server', () => {
  it('is loaded without credentials, and without saying who sent us', async () => {
    shows('2026-07-28/basic/index/icons-credentials');
    const network = serving(png, { 'content-type': 'image/png' });
    expect(await load(network)).toEqual({ type: 'image/png', bytes: png, needsSandbox: false });
    const { headers, ...init } = network.seen[0]?.init ?? {};
    expect(init).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'manual' });
    expect(Object.keys(headers ?? {})).toEqual(['accept']);
  });

  it.each([
    ['image/png', png],
    ['image/jpeg', jpegOf(48, 48)],
    ['image/jpg', jpegOf(48, 48)],
    ['image/webp', webpOf(48, 48)],
    ['application/octet-stream', png],
    ['', png],
    ['IMAGE/PNG; x=y', png],
  ])('may be sent as %j', async (type, bytes) => {
    showsBy(type, {
      'image/png': '2026-07-28/basic/index/icons-mime-types',
      'image/jpeg': '2026-07-28/basic/index/icons-mime-types',
      'image/jpg': '2026-07-28/basic/index/icons-mime-types',
      'image/webp': '2026-07-28/basic/index/icons-mime-types-more',
    });
    expect((await load(serving(bytes, { 'content-type': type }))).bytes).toEqual(bytes);
  });

  it('that is SVG is refused unless it is wanted, and marked then', async () => {
    shows(
      '2026-07-28/basic/index/icons-mime-types-more',
      '2026-07-28/basic/index/icons-executable',
      '2026-07-28/basic/index/icons-types-refused',
    );
    const network = serving(svgOf(), { 'content-type': 'image/svg+xml' });
    await expect(load(network)).rejects.toMatchObject({ reason: 'refused' });
    expect(await load(network, { svg: true })).toMatchObject({ type: 'image/svg+xml', needsSandbox: true });
  });

  it.each([
    ['a page', bytesOf('<html>'), 'text/html', undefined, 'not a still PNG'],
    [
      'a page that says it is an image',
      bytesOf('<html>'),
      'image/png',
      undefined,
      'not a still PNG',
      '2026-07-28/basic/index/icons-precautions',
    ],
    ['an image sent as a page', png, 'text/html', undefined, 'image/png, not text/html'],
    [
      'an image sent as another',
      png,
      'image/jpeg',
      undefined,
      'image/png, not image/jpeg',
      '2026-07-28/basic/index/icons-validated',
    ],
    [
      'an image listed as another',
      png,
      'image/png',
      'image/webp',
      'image/png, not image/webp',
      '2026-07-28/basic/index/icons-untrusted',
    ],
    [
      'SVG sent as PNG',
      svgOf(),
      'image/png',
      undefined,
      'image/svg+xml, not image/png',
      '2026-07-28/basic/index/icons-validated',
    ],
  ] as const)('is not %s', async (...[, bytes, type, mimeType, why, ...ids]) => {
    shows(...ids);
    const loading = load(serving(bytes, { 'content-type': type }), { svg: true }, mimeType);
    await expect(loading).rejects.toMatchObject({
      reason: 'invalid-answer',
      message: expect.stringContaining(why),
    });
  });
});

describe('where an icon comes from', () => {
  it.each([
    [
      'another origin',
      'https://tracker.example/icon.png',
      '2026-07-28/basic/index/icons-precautions',
      '2026-07-28/basic/index/icons-origin',
    ],
    ['another port', 'https://server.example:8443/icon.png'],
    ['a subdomain', 'https://cdn.server.example/icon.png', '2026-07-28/basic/index/icons-origin'],
    ['an origin that begins alike', 'https://server.example.evil.example/icon.png'],
    ['no encryption', 'http://server.example/icon.png'],
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)', '2026-07-28/basic/index/icons-schemes'],
    ['a socket', 'wss://server.example/icon'],
    ['a user name', 'https://me@server.example/icon.png'],
    ['a page inside', 'data:text/html,<script>alert(1)</script>'],
  ])('is not %s', async (_, elsewhere, ...ids) => {
    shows(...ids);
    const network = new Network({});
    const loading = loadIcon({ src: elsewhere }, { origin, fetch: network.fetch });
    await expect(loading).rejects.toMatchObject({ reason: 'refused' });
    expect(network.seen).toEqual([]);
  });

  it('may be an origin that was allowed', async () => {
    shows('2026-07-28/basic/index/icons-origin');
    const network = serving(png);
    await expect(loadIcon({ src }, { fetch: network.fetch })).rejects.toMatchObject({ reason: 'refused' });
    const options = { origins: ['https://server.example'], fetch: network.fetch };
    expect((await loadIcon({ src }, options)).type).toBe('image/png');
  });

  it.each([
    [{ orgin: origin }, 'there is no option "orgin"'],
    [{ origins: ['cdn.example'] }, 'origins must be a list of URLs'],
    [{ origins: 'https://cdn.example' }, 'origins must be a list of URLs'],
    [{ origin, timeout: Number.NaN }, 'timeout must be a positive number'],
    [{ origin, svg: 'no' }, 'svg must be true or false'],
  ])('is not loaded with %j, nor asked for', async (options, message) => {
    const network = serving(png);
    await expect(loadIcon({ src }, { ...options, fetch: network.fetch } as IconOptions)).rejects.toThrow(
      message,
    );
    expect(network.seen).toEqual([]);
  });

  const to = (location: string) => () => new Response(null, { status: 302, headers: { location } });

  it('may be redirected within the origin', async () => {
    const real = 'https://server.example/real.png';
    const network = new Network({ [src]: to('/real.png'), [real]: () => new Response(png) });
    expect((await load(network)).bytes).toEqual(png);
    expect(network.seen.map(({ url }) => url)).toEqual([src, real]);
  });

  it.each(['http://server.example/x', 'https://evil.example/', '//evil.example/', 'file:///x', 'https://'])(
    'is not redirected to %s',
    async (location) => {
      showsBy(location, {
        'https://evil.example/': '2026-07-28/basic/index/icons-redirects',
        'http://server.example/x': '2026-07-28/basic/index/icons-redirects',
      });
      const network = new Network({ [src]: to(location) });
      await expect(load(network)).rejects.toMatchObject({ reason: 'refused' });
      expect(network.seen).toHaveLength(1);
    },
  );

  it.each(['/icon.png', ''])('is not redirected for ever, to %j', async (location) => {
    const network = new Network({ [src]: to(location) });
    await expect(load(network)).rejects.toMatchObject({ reason: 'refused' });
    expect(network.seen).toHaveLength(4);
  });

  it('is looked at where fetch followed a redirect by itself', async () => {
    const followed = Object.defineProperty(new Response(png), 'url', { value: 'https://evil.example/x' });
    await expect(load(new Network({ [src]: () => followed }))).rejects.toMatchObject({ reason: 'refused' });
  });

  it('may be the icon itself', async () => {
    const icon = { src: dataOf('image/png', png), mimeType: 'image/png' };
    expect((await loadIcon(icon)).bytes).toEqual(png);
    const svg = 'data:image/svg+xml;charset=utf-8,%3Csvg%20xmlns=%22x%22/%3E';
    expect((await loadIcon({ src: svg }, { svg: true })).needsSandbox).toBe(true);
  });

  it.each([
    ['data:image/png;base64,%%%', 'invalid-answer'],
    ['data:image/png;base64,***', 'invalid-answer'],
    ['data:image/png;base64', 'invalid-answer'],
    ['data:image/jpeg;base64,iVBORw0KGgo=', 'invalid-answer'],
    [dataOf('image/jpeg', png), 'invalid-answer'],
    [dataOf('image/png', pngOf(10_000, 10)), 'limit'],
  ])('is refused when it is %j', async (text, reason) => {
    await expect(loadIcon({ src: text })).rejects.toMatchObject({ reason });
  });
});

describe('an icon that is too much', () => {
  const endless = () => {
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(1_024));
      },
      cancel() {
        cancelled = true;
      },
    });
    return { response: new Response(body), state: () => ({ pulled, cancelled }) };
  };

  it('in bytes is read no further', async () => {
    shows('2026-07-28/basic/index/icons-exhaustion', '2026-07-28/basic/index/icons-limits');
    const { response, state } = endless();
    await expect(
      load(new Network({ [src]: () => response }), otherBounds({ bytes: 4_096 })),
    ).rejects.toMatchObject({
      reason: 'limit',
    });
    expect(state().cancelled).toBe(true);
    expect(state().pulled).toBeLessThan(10);
  });

  it('in bytes by its own account is not read at all', async () => {
    const network = serving(png, { 'content-length': '2000000' });
    await expect(load(network)).rejects.toMatchObject({ reason: 'limit' });
  });

  it.each([pngOf(2_049, 1), pngOf(1, 0xffffffff), jpegOf(1, 65_535), webpOf(16_384, 16_384)])(
    'in pixels is refused',
    async (bytes) => {
      shows('2026-07-28/basic/index/icons-exhaustion');
      await expect(load(serving(bytes))).rejects.toMatchObject({ reason: 'limit' });
    },
  );

  it('in time is given up, even where fetch does not listen', async () => {
    const clock = new FakeClock();
    const network = new Network({ [src]: () => new Promise(() => undefined) });
    const loading = load(network, { clock }).catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(await loading).toMatchObject({ reason: 'timeout' });
    expect(network.seen[0]?.init.signal?.aborted).toBe(true);
    expect(clock.waiting).toEqual([]);
  });

  it('for its caller is given up', async () => {
    const controller = new AbortController();
    const network = new Network({ [src]: () => new Promise(() => undefined) });
    const loading = load(network, { signal: controller.signal }).catch((error: unknown) => error);
    controller.abort();
    expect(await loading).toMatchObject({ reason: 'cancelled' });
    const late = load(network, { signal: controller.signal });
    await expect(late).rejects.toMatchObject({ reason: 'cancelled' });
    expect(network.seen).toHaveLength(1);
  });

  it('for the network says so', async () => {
    const broken = new Network({ [src]: () => Promise.reject(new TypeError('fetch failed')) });
    await expect(load(broken)).rejects.toMatchObject({
      name: 'TransportError',
      cause: new TypeError('fetch failed'),
    });
    await expect(load(new Network({}))).rejects.toMatchObject({ name: 'TransportError', status: 404 });
  });
});
