/** The node of a value in a {@link LinkedQueue}. */
export interface QueueNode<T> {
  readonly value: T;
  previous: QueueNode<T> | undefined;
  next: QueueNode<T> | undefined;
}

/** A queue that can remove values at any position. {@link IdTable} has the reason not to use a Set. */
export class LinkedQueue<T> {
  /** The oldest node; undefined if the queue is empty. */
  first: QueueNode<T> | undefined;
  #last: QueueNode<T> | undefined;

  /** The values in order, as a new array. */
  get values(): T[] {
    const values: T[] = [];
    for (let node = this.first; node !== undefined; node = node.next) values.push(node.value);
    return values;
  }

  append(value: T): QueueNode<T> {
    const node: QueueNode<T> = { value, previous: this.#last, next: undefined };
    if (this.#last === undefined) this.first = node;
    else this.#last.next = node;
    this.#last = node;
    return node;
  }

  /** Removes a node that is in the queue. */
  remove(node: QueueNode<T>): void {
    const { previous, next } = node;
    if (previous === undefined) this.first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    // A reference from an old object to newer ones would keep them in memory.
    node.previous = undefined;
    node.next = undefined;
  }
}
