/**
 * True if `new URL(text, base)` does not throw. Use it in place of `URL.canParse`: once the engine has optimized it, Node 20's
 * refuses addresses that have characters such as "ä".
 */
export function isUrl(text: string, base?: string | URL): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}

/** True for https, and for http to this machine: secrets may be sent to such a URL. */
export function isHttpsOrLoopback(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHostname.test(url.hostname));
}

const loopbackHostname = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
