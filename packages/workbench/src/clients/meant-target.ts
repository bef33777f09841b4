/** Returns how to write a program, a file or a host that the user named like a configured server; empty for other names. */
export function meantTarget(name: string): readonly string[] {
  if (/^(node|npx|tsx|bunx?|deno|python3?|uvx?|docker)$/.test(name))
    return [`To start a server, write its command at the end: -- ${name} ...`];
  if (/\.[cm]?ts$/.test(name)) return [`To start the file, write: -- npx tenon dev --stdio ${name}`];
  if (/\.([cm]?js|py)$/.test(name))
    return [`To start the file, write: -- ${name.endsWith('py') ? 'python' : 'node'} ${name}`];
  const [, host, path = '/mcp'] = /^([\w.-]+(?::\d+)?)(\/.*)?$/.exec(name) ?? [];
  if (host === undefined || !/[.:]|^localhost$/.test(host)) return [];
  // Only hosts of this machine and addresses are used without TLS.
  const protocol = /^(localhost|[\d.]+)(:|$)/.test(host) ? 'http' : 'https';
  return [`For a URL, write: ${protocol}://${host}${path}`];
}
