import { type ClientEnvironment, pathsOf } from '../clients/client-environment.js';

/** The URL, file or command of a server that has no name yet. */
export type UnnamedServer =
  | { readonly url: string }
  | { readonly file: string }
  | { readonly command: readonly string[] };

/** Returns the name that a server gets by default: letters, digits, `-` and `_`. */
export function defaultName(server: UnnamedServer, environment: ClientEnvironment): string {
  if ('url' in server) return urlName(server.url);
  if ('file' in server) return fileName(server.file, environment);
  return commandName(server.command, environment);
}

/** `https://mcp.linear.app/mcp` is `linear`, and `http://127.0.0.1:3000/mcp` is `localhost-3000`. */
function urlName(url: string): string {
  const { hostname: host, port } = new URL(url);
  const hostname = /^127\.|^\[::1\]$/.test(host) ? 'localhost' : host;
  const labels = hostname.split('.');
  const isName = labels.length > 1 && !/^[\d.]+$|:/.test(hostname);
  const own = labels.slice(0, -1).filter((label) => !['mcp', 'www', 'api', 'server'].includes(label));
  return nameOf((isName ? own.at(-1) : undefined) ?? (port === '' ? hostname : `${hostname}-${port}`));
}

/** `npx -y @scope/server-files@1` is `server-files`, and `node dist/server.js` is called after its folder. */
function commandName([command = '', ...args]: readonly string[], environment: ClientEnvironment): string {
  const word = args.find((arg) => !arg.startsWith('-') && !['run', 'dlx', 'exec', 'x'].includes(arg));
  if (word === undefined || /^(?:docker|podman)$/.test(command))
    return nameOf(
      args
        .at(-1)
        ?.replace(/^.*\//, '')
        .replace(/[:@].*$/, '') ?? pathsOf(environment).basename(command),
    );
  if (/\.(?:[cm]?[jt]sx?|py|rb|sh|jar)$/.test(word)) return fileName(word, environment);
  return nameOf(word.replace(/(.)@.*$/, '$1').replace(/^.*\//, ''));
}

function fileName(file: string, environment: ClientEnvironment): string {
  const paths = pathsOf(environment);
  const path = paths.resolve(environment.cwd, file);
  const name = paths.basename(path).replace(/\.\w+$/, '');
  if (!/^(?:server|index|main|stdio|cli)$/.test(name)) return nameOf(name);
  const folders = paths.dirname(path).split(paths.sep);
  return nameOf(
    folders.filter((one) => !['src', 'dist', 'build', 'bin', 'lib', 'out'].includes(one)).at(-1) ?? name,
  );
}

function nameOf(text: string): string {
  const name = text
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 64);
  return name === '' ? 'server' : name;
}
