/** A network of public names, each of which leads to a server on this machine; there is nothing else in it. */
export class PublicNetwork {
  /** Every address that was asked. */
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
    if (server === undefined) throw new TypeError(`Nobody is at ${origin}.`);
    const response = await fetch(server + pathname + search, { ...init, redirect: 'manual' });
    const { status, headers } = response;
    return new Response(status === 204 ? null : await response.arrayBuffer(), { status, headers });
  };

  /** What was asked of anybody who is not there. */
  get strayed(): string[] {
    return this.asked.filter((address) => !this.#servers.has(new URL(address).origin));
  }
}
