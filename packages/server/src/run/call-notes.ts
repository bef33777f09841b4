import {
  type CallHistory,
  type ClientAnswer,
  decodeResult,
  type InputResponse,
  RemoteError,
  type RequestId,
  SessionError,
} from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';

/** The answers and steps of a call, kept where another process can continue it. */
export class CallNotes {
  readonly steps: Map<string, unknown>;
  readonly #request: IncomingRequest;
  readonly #answers: Map<string, ClientAnswer>;
  readonly #waiting = new Map<RequestId, string>();

  constructor(request: IncomingRequest) {
    const { answers = {}, steps = {} }: Partial<CallHistory> = request.exchange.history ?? {};
    this.#request = request;
    this.#answers = new Map(Object.entries(answers));
    this.steps = new Map(Object.entries(steps).map(([key, { value }]) => [key, value]));
  }

  /**
   * Returns the answer that the client gave while another process ran the call; undefined if there is none. Rejects with a
   * RemoteError if the answer is an error, and with a SessionError if it is invalid.
   */
  answerTo(key: string, method: string): Promise<InputResponse> | undefined {
    const answer = this.#answers.get(key);
    return answer === undefined ? undefined : this.#decoded(answer, method);
  }

  async #decoded(answer: ClientAnswer, method: string): Promise<InputResponse> {
    if ('error' in answer) throw new RemoteError(answer.error, { method });
    const { revision } = this.#request;
    const row = revision.requests.server.get(method);
    const decoded = row && decodeResult(revision, row, answer.result);
    if (decoded?.ok === true) return decoded.value as unknown as InputResponse;
    throw new SessionError('invalid-answer', `The answer to ${method} is not valid: ${decoded?.problem}`);
  }

  /** Notes an input request that is about to be sent. */
  requested(id: RequestId, key: string): void {
    this.#waiting.set(id, key);
    // A failure is noticed before the handler goes on.
    detach(this.#keep(), () => {});
  }

  /**
   * Notes an answer, before the handler goes on with it.
   * @throws the reason of the request's signal if another process continues the call.
   */
  async answered(key: string, answer: ClientAnswer): Promise<void> {
    for (const [id, waiting] of this.#waiting) if (waiting === key) this.#waiting.delete(id);
    this.#answers.set(key, answer);
    if ((await this.#keep()) === false) throw this.#request.signal.reason;
  }

  #keep(): Promise<boolean> | undefined {
    const { exchange } = this.#request;
    return exchange.suspend?.({
      answers: Object.fromEntries(this.#answers),
      steps: Object.fromEntries([...this.steps].map(([key, value]) => [key, { value }])),
      waiting: Object.fromEntries(this.#waiting),
    });
  }
}
