// Connections that no Content Security Policy governs: WebRTC, preconnect, navigation. None may arrive at sockets of 127.0.0.1.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HostedPage } from './apps/hosted-page.js';
import { Sockets } from './apps/sockets.js';

const hosted = new HostedPage();
const { stage } = hosted;
const closed = new Sockets();
/** Arrivals at these sockets show that an attempt with the others has had its time. */
const control = new Sockets();

beforeAll(async () => {
  await Promise.all([closed.open(), control.open(), hosted.start()]);
}, 60_000);

afterAll(async () => {
  await Promise.all([hosted.close(), closed.close(), control.close()]);
}, 30_000);

beforeEach(() => hosted.reset());

const script = (/** @type {string} */ text) => `<script>${text}</script>`;
const quoted = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const ran = script("top.postMessage('ran', '*')");

/**
 * Returns a script that asks a STUN server over UDP and a TURN server over TCP, and reports its error.
 *
 * @param {Sockets} sockets
 */
const peer = ({ udp, tcp }) => `
  try {
    const peer = new RTCPeerConnection({ iceServers: [
      { urls: 'stun:127.0.0.1:${udp}' },
      { urls: 'turn:127.0.0.1:${tcp}?transport=tcp', username: 'a', credential: 'b' },
    ] });
    peer.createDataChannel('x');
    peer.createOffer().then((offer) => peer.setLocalDescription(offer)).then(() => top.postMessage('gathers', '*'));
  } catch (error) { top.postMessage(error.name, '*'); }`;

/**
 * Loads a view in a frame of the sandbox page.
 *
 * @param {string} address
 * @param {string} html
 * @param {object} [csp]
 * @returns {Promise<string>} its first report
 */
const load = (address, html, csp = {}) =>
  hosted.evaluate(`new Promise((resolve) => {
    const frame = Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(address)} });
    addEventListener('message', ({ data, source }) => {
      if (typeof data === 'string') resolve(data);
      if (data.method !== 'ui/notifications/sandbox-proxy-ready') return;
      const params = ${JSON.stringify({ html, csp })};
      const method = 'ui/notifications/sandbox-resource-ready';
      source.postMessage({ jsonrpc: '2.0', method, params }, ${JSON.stringify(stage.sandbox)});
    });
    document.body.append(frame);
  })`);

describe('a view of an app that declares no origin', () => {
  it.each([
    [
      'WebRTC in a frame with a document',
      (/** @type {Sockets} */ sockets) => `<iframe srcdoc="${quoted(script(peer(sockets)))}"></iframe>`,
    ],
    [
      'WebRTC in a frame with a script as address',
      (/** @type {Sockets} */ sockets) => `${ran}<iframe src="javascript:${quoted(peer(sockets))}"></iframe>`,
    ],
    [
      'preconnect',
      (/** @type {Sockets} */ { tcp }) => `<link rel="preconnect" href="http://127.0.0.1:${tcp}">`,
    ],
    [
      'going to another page',
      (/** @type {Sockets} */ { tcp }) => `${ran}${script(`location.href = 'http://127.0.0.1:${tcp}/'`)}`,
    ],
  ])('opens no connection by %s', async (_, view) => {
    await load(`${stage.sandbox}/?network=none`, view(closed) + ran);
    // In a page of its own: frames of one site share a process, which Chromium does not separate for WebRTC.
    await hosted.reset();
    const arrival = control.arrival();
    await load(`${stage.sandbox}/`, view(control) + ran);
    await arrival;
    expect(closed.arrived).toEqual([]);
  });

  it('has no WebRTC of its own, also where the page is served without the header', async () => {
    for (const address of [`${stage.sandbox}/`, `${stage.sandbox}/?network=none`])
      expect(await load(address, script(peer(closed)))).toBe('ReferenceError');
    expect(closed.arrived).toEqual([]);
  });

  it('is opened by the host with the page that allows no connection', async () => {
    await hosted.open('<p>', { bounds: { openTime: 2_000 } });
    expect(stage.sandboxes).toEqual(['/?network=none']);
  });

  it('still shows the images of its document', async () => {
    const gif = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
    const view = `<img src="${gif}" onload="top.postMessage('shown', '*')">`;
    expect(await load(`${stage.sandbox}/?network=none`, view)).toBe('shown');
  });
});

describe('a view of an app that declares origins', () => {
  it('reaches them, and may use WebRTC', async () => {
    const csp = { connectDomains: [stage.outside] };
    const view = script(
      `fetch(${JSON.stringify(`${stage.outside}/declared`)}).then(() => top.postMessage(typeof RTCPeerConnection, '*'))`,
    );
    expect(await load(`${stage.sandbox}/`, view, csp)).toBe('function');
    expect(await hosted.reached()).toEqual(['/declared']);
  });

  it('is opened by the host with the page that leaves the rest to the policy', async () => {
    await hosted.open('<p>', { csp: { resourceDomains: [stage.outside] }, bounds: { openTime: 2_000 } });
    expect(stage.sandboxes).toEqual(['/']);
  });
});
