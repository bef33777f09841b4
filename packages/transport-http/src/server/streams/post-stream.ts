import { detach } from '@tenon/foundation';
import type { SuspendedCall } from '@tenon/mcp-protocol';
import type { AnswerStream } from '../exchange/http-exchange.js';
import type { EventStream } from './event-stream.js';

/** The stream of a POST. Other processes can continue its call while it waits for input. */
export class PostStream implements AnswerStream {
  readonly #stream: EventStream;
  readonly #keep: (call: SuspendedCall | undefined) => Promise<boolean>;
  readonly #onLeft: () => void;
  /** The last write of the call's state; undefined for a call that has not waited. */
  #kept: Promise<boolean> | undefined;
  #isLeft = false;

  /** @param onLeft - called when another process is to continue the call. */
  constructor(
    stream: EventStream,
    keep: (call: SuspendedCall | undefined) => Promise<boolean>,
    onLeft: () => void,
  ) {
    this.#stream = stream;
    this.#keep = keep;
    this.#onLeft = onLeft;
  }

  send(frame: string): Promise<void> | undefined {
    return this.#stream.send(frame);
  }

  finish(frame: string | undefined): void {
    if (this.#isLeft) return;
    if (this.#kept !== undefined) this.#kept = this.#keep(undefined);
    const end = () => {
      if (!this.#isLeft) this.#stream.finish(frame);
    };
    // If another process has continued the call, it also answers.
    if (this.#kept === undefined) end();
    else
      detach(
        this.#kept.then((isKept) => (isKept ? end() : this.leave())),
        () => {},
      );
  }

  release(retry: number | undefined): void {
    this.#stream.release(retry);
  }

  suspend(call: SuspendedCall): Promise<boolean> | undefined {
    if (this.#isLeft) return undefined;
    this.#kept = this.#keep(call);
    return this.#kept;
  }

  leave(): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.#stream.close();
    this.#onLeft();
  }
}
