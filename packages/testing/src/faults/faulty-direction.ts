import type { FaultDraws } from './plan.js';

/** A frame on its way in one direction. */
export interface InTransit {
  /**
   * Delivers the frame; called twice for a duplicated frame. @param spoiled - for a corrupted frame, the position of the
   * damage from 0 up to 1.
   */
  pass(spoiled: number | undefined): void;
  /** Reports a dropped frame. */
  lost(): void;
}

interface Held extends InTransit {
  readonly copies: number;
  readonly spoiled: number | undefined;
  /** Cancels the timer that releases the frame; undefined if the frame only waits for those before it. */
  cancel: (() => void) | undefined;
}

/** Maximum number of frames one direction holds back; beyond it the oldest are released early. */
const mostHeld = 1_024;

/** One direction of a connection with faults. */
export class FaultyDirection {
  readonly #draws: FaultDraws;
  readonly #onClose: () => void;
  readonly #line: Held[] = [];
  #overtaken: Held | undefined;
  #over = false;

  constructor(draws: FaultDraws, onClose: () => void) {
    this.#draws = draws;
    this.#onClose = onClose;
  }

  /** Sends a frame through, with the faults the plan draws for it. */
  push(message: unknown, item: InTransit): void {
    if (this.#over) {
      item.lost();
      return;
    }
    const isHeldUp = this.#line.length > 0 || this.#overtaken !== undefined;
    const drawn = this.#draws.next(message, isHeldUp);
    if (drawn.has('close') || drawn.has('drop')) {
      item.lost();
      if (drawn.has('close')) this.#onClose();
      return;
    }
    const held: Held = {
      pass: (spoiled) => item.pass(spoiled),
      lost: () => item.lost(),
      copies: drawn.has('duplicate') ? 2 : 1,
      spoiled: drawn.has('corrupt') ? this.#draws.place() : undefined,
      cancel: undefined,
    };
    if (drawn.has('delay')) this.#delay(held);
    else if (this.#line.length > 0) this.#stand(held);
    else if (drawn.has('reorder')) this.#letOvertake(held);
    else this.#emit(held);
  }

  /** Releases all frames held back. */
  flush(): void {
    while (this.#line.length > 0) this.#release();
    this.#emitOvertaken();
  }

  /** Drops every frame from now on. */
  stop(): void {
    this.#over = true;
    const held = this.#line.splice(0);
    if (this.#overtaken !== undefined) held.push(this.#overtaken);
    this.#overtaken = undefined;
    for (const one of held) {
      one.cancel?.();
      one.lost();
    }
  }

  #delay(held: Held): void {
    held.cancel = this.#draws.clock.schedule(
      () => {
        held.cancel = undefined;
        // Behind a frame with a longer delay, it waits for that frame.
        if (this.#line[0] === held) this.#release();
      },
      this.#draws.delay(),
      true,
    );
    this.#stand(held);
  }

  #stand(held: Held): void {
    this.#line.push(held);
    if (this.#line.length > mostHeld) this.#release();
  }

  /** Releases the first frame, and those behind it that wait for nothing else. */
  #release(): void {
    for (let first = this.#line.shift(); first !== undefined; first = this.#line.shift()) {
      first.cancel?.();
      this.#emit(first);
      if (this.#line[0]?.cancel !== undefined) return;
    }
  }

  #letOvertake(held: Held): void {
    const { reorderWait = 10 } = this.#draws.faults;
    this.#overtaken = held;
    held.cancel = this.#draws.clock.schedule(() => this.#emitOvertaken(), reorderWait, true);
  }

  #emit(held: Held): void {
    for (let copy = 0; copy < held.copies; copy++) held.pass(held.spoiled);
    this.#emitOvertaken();
  }

  #emitOvertaken(): void {
    const late = this.#overtaken;
    if (late === undefined) return;
    this.#overtaken = undefined;
    late.cancel?.();
    this.#emit(late);
  }
}
