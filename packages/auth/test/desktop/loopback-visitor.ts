import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

/** The response of a loopback server. */
export interface Visit {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request, exactly as it is sent. */
export interface VisitOptions {
  readonly method?: string;
  /** The target in the request line. */
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to the host and port of a URL, with the path of the options. */
export function visit(address: string, options: VisitOptions = {}): Promise<Visit> {
  const { hostname, port, pathname, search, host } = new URL(address);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: hostname.replace(/^\[|\]$/g, ''),
        port,
        path: options.target ?? pathname + search,
        method: options.method ?? 'GET',
        headers: { host, ...options.headers },
        agent: false,
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          body += part;
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    sent.on('error', reject).end(options.body);
  });
}

/** Sends bytes unchanged; resolves with all received bytes when the connection ends. */
export function sendRaw(address: string, bytes: string | Uint8Array): Promise<string> {
  const { port, hostname } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''), () => socket.write(bytes));
    let heard = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      heard += part;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(heard));
  });
}

/** True if a server listens at the host and port of a URL. */
export function isListening(address: string): Promise<boolean> {
  const { port, hostname } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''), () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
