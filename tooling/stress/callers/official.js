import { callTime } from './connected-client.js';

/** The adapters of `pnpm interop`, which installs the official SDKs. Their types are not known here. */
const peers = new URL('../../interop/peers/', import.meta.url);

/**
 * Connects a client of the official SDK, and watches its resource.
 *
 * @param {import('./connected-client.js').ClientSetup} setup
 * @returns {Promise<import('./connected-client.js').ConnectedClient>}
 */
export async function openOfficial(setup) {
  const { clientKind, url, headers, name, uri, onLog, onUpdated } = setup;
  const { connectOfficialV1 } = await import(new URL('official-v1.js', peers).href);
  const { connectOfficialV2 } = await import(new URL('official-v2.js', peers).href);
  const target =
    clientKind.transport === 'sse'
      ? { transport: 'sse', url: new URL('/sse', url).href, headers }
      : { transport: 'http', url, headers };
  const application = applicationOf(setup);
  const peer =
    clientKind.line === 'v1'
      ? await connectOfficialV1({ target, name, application })
      : await connectOfficialV2({
          target,
          name,
          application,
          revision: clientKind.revision,
          mode: clientKind.line,
        });
  try {
    await peer.setLogLevel('info');
    await peer.watch({ uri }, (/** @type {string} */ change) => {
      // It also reports changes of lists.
      if (change.includes(':')) onUpdated(change);
    });
  } catch (error) {
    await peer.close().catch(() => {});
    throw error;
  }
  return {
    call: (tool, given, { onProgress, signal } = {}) => {
      const limit = AbortSignal.timeout(callTime);
      return peer.call(tool, given, {
        onProgress,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
    },
    read: (uri) => peer.read(uri),
    setLogLevel: (level) => peer.setLogLevel(level),
    batch: undefined,
    close: () => peer.close(),
  };

  /** @param {import('./connected-client.js').ClientSetup} setup */
  function applicationOf({ onAsk, onError, onGaveUp }) {
    return {
      browser: undefined,
      logs: { add: (/** @type {any} */ { data }) => onLog(data) },
      complaints: {
        add(/** @type {string} */ message) {
          if (message.includes('Maximum reconnection attempts')) onGaveUp();
          onError(message, 'official');
        },
      },
      answer: (/** @type {string} */ kind, /** @type {any} */ params) => {
        if (kind !== 'sample') return { action: 'accept', content: { value: onAsk(params.message) } };
        const text = String(onAsk(params.messages[0]?.content.text));
        return { model: 'user', role: 'assistant', content: { type: 'text', text } };
      },
    };
  }
}
