/** A network of public host names, each served by a server on this machine. Other hosts do not exist. */
export class PublicNetwork {
  /** The URL of every request. */
  readonly asked: string[] = [];
  /** Local origins by public ones. */
  readonly #servers: ReadonlyMap<string, string>;

  constructor(servers: Readonly<Record<string, string>>) {
    this.#servers = new Map(Object.entries(servers));
  }

  readonly fetch = async (input: string, init: RequestInit = {}): Promise<Response> => {
    this.asked.push(input);
    const { origin, pathname, search } = new URL(input);
    const server = this.#servers.get(origin);
    if (server === undefined) throw new TypeError(`No server is at ${origin}.`);
    const response = await fetch(server + pathname + search, { ...init, redirect: 'manual' });
    const { status, headers } = response;
    return new Response(status === 204 ? null : await response.arrayBuffer(), { status, headers });
  };

  /** The requests to hosts that do not exist. */
  get strayed(): string[] {
    return this.asked.filter((address) => !this.#servers.has(new URL(address).origin));
  }
}
