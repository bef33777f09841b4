import type { FaultDraws } from './fault-plan.js';

/** Something on its way through a lane. */
export interface InTransit {
  /** It comes out; called twice for a frame that is doubled. @param spoiled - where, from 0 up to 1, if it is. */
  pass(spoiled: number | undefined): void;
  /** It never comes out. */
  lost(): void;
}

interface Held extends InTransit {
  readonly copies: number;
  readonly spoiled: number | undefined;
  /** Stops what would let it go in time; undefined for what only stands in line. */
  cancel: (() => void) | undefined;
}

/** Frames one lane holds back; past it the oldest are let go early. */
const mostHeld = 1_024;

/** One way through a connection that makes trouble. */
export class FaultLane {
  readonly #draws: FaultDraws;
  readonly #onClose: () => void;
  readonly #line: Held[] = [];
  #overtaken: Held | undefined;
  #over = false;

  constructor(draws: FaultDraws, onClose: () => void) {
    this.#draws = draws;
    this.#onClose = onClose;
  }

  /** Sends something through, with whatever the plan has in store for it. */
  push(message: unknown, item: InTransit): void {
    if (this.#over) {
      item.lost();
      return;
    }
    const isHeldUp = this.#line.length > 0 || this.#overtaken !== undefined;
    const struck = this.#draws.next(message, isHeldUp);
    if (struck.has('close') || struck.has('drop')) {
      item.lost();
      if (struck.has('close')) this.#onClose();
      return;
    }
    const held: Held = {
      pass: (spoiled) => item.pass(spoiled),
      lost: () => item.lost(),
      copies: struck.has('duplicate') ? 2 : 1,
      spoiled: struck.has('corrupt') ? this.#draws.place() : undefined,
      cancel: undefined,
    };
    if (struck.has('delay')) this.#delay(held);
    else if (this.#line.length > 0) this.#stand(held);
    else if (struck.has('reorder')) this.#letOvertake(held);
    else this.#emit(held);
  }

  /** Lets everything go that is held. */
  flush(): void {
    while (this.#line.length > 0) this.#release();
    this.#emitOvertaken();
  }

  /** Nothing comes through any more. */
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
        // Behind one that is late for longer it has to wait for that.
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

  /** Lets the first in line go, and those behind it that wait for nothing else. */
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
