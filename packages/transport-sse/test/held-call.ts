import type { Body, Headers, HttpCall } from '@tenon/mcp-transport-http/server';

/** A request without a network: its body arrives when a test says so. */
export class HeldCall implements HttpCall {
  readonly method: string;
  readonly url: string;
  /** Everything that was sent, complete or as a stream. */
  readonly sent: string[] = [];
  status: number | undefined;
  closed = false;
  streaming = false;
  #take: (body: Body) => void = () => {};
  #gone: () => void = () => {};

  constructor(method: string, url: string) {
    this.method = method;
    this.url = url;
  }

  header(name: string): string | undefined {
    return name === 'content-type' ? 'application/json' : undefined;
  }

  addHeaders(): void {}

  readBody(_limit: number, take: (body: Body) => void): void {
    this.#take = take;
  }

  /** Completes the body. */
  arrive(body: string | Body): void {
    this.#take(typeof body === 'string' ? { text: body } : body);
  }

  /** The client disconnects. */
  leave(): void {
    this.closed = true;
    this.#gone();
  }

  send(status: number, _headers: Headers, body = ''): void {
    this.status = status;
    this.end(body);
  }

  open(): void {
    this.status = 200;
    this.streaming = true;
  }

  write(text: string): undefined {
    this.sent.push(text);
  }

  end(text?: string): void {
    if (text !== undefined) this.sent.push(text);
    this.closed = true;
  }

  onGone(task: () => void): void {
    this.#gone = task;
    if (this.closed) task();
  }
}
