const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

/** True for loopback host names. */
export function isLoopback(hostname: string): boolean {
  return loopbackNames.has(hostname) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

/** Returns the name in a `Host` header, without its port; undefined if it is malformed. */
export function hostnameOf(host: string): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host);
  return match?.[1]?.toLowerCase();
}
