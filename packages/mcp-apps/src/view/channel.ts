/** An error that the host answered with. */
export class HostRequestError extends Error {
  override readonly name = 'HostRequestError';
  /** A JSON-RPC error code. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: object;
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Handles a request or notification of the host, and returns the result of a request; undefined if its method is unknown. */
type Receive = (method: string, params: object) => object | undefined | Promise<object | undefined>;

/** JSON-RPC messages between this document and the frame around it. */
export interface Channel {
  request(method: string, params: object): Promise<object>;
  notify(method: string, params: object): void;
  close(): void;
}

/** Milliseconds until the host has answered. */
const timeout = 60_000;

/** Requests that wait for the host. */
const mostPending = 256;

export function openChannel(receive: Receive): Channel {
  const pending = new Map<unknown, (message: Message) => void>();
  let ids = 0;
  const send = (message: object) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const answer = async ({ id, method = '', params = {} }: Message) => {
    try {
      const result = await receive(method, params);
      if (id === undefined) return;
      send(
        result === undefined
          ? { id, error: { code: -32601, message: `Method not found: ${method}` } }
          : { id, result },
      );
    } catch (error) {
      if (id === undefined) console.error(error);
      else send({ id, error: { code: -32603, message: String(error) } });
    }
  };
  const listener = ({ source, data }: MessageEvent) => {
    // Only the frame around this document is the host; nested frames and other windows are not.
    if (source !== parent || data?.jsonrpc !== '2.0') return;
    if (typeof data.method === 'string') answer(data).catch(console.error);
    else pending.get(data.id)?.(data);
  };
  addEventListener('message', listener);
  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        if (pending.size >= mostPending)
          throw new Error(`${mostPending} requests wait for the host already.`);
        const id = ++ids;
        const settle = ({ result, error }: Message) => {
          clearTimeout(timer);
          pending.delete(id);
          if (error === undefined) resolve(result ?? {});
          else reject(new HostRequestError(error.code, `${method}: ${error.message}`));
        };
        const timer = setTimeout(() => {
          send({ method: 'notifications/cancelled', params: { requestId: id } });
          settle({ jsonrpc: '2.0', error: { code: -32001, message: `no answer within ${timeout} ms` } });
        }, timeout);
        pending.set(id, settle);
        send({ id, method, params });
      }),
    notify: (method, params) => send({ method, params }),
    close() {
      removeEventListener('message', listener);
      for (const settle of pending.values())
        settle({ jsonrpc: '2.0', error: { code: -32000, message: 'the view is closed' } });
    },
  };
}
