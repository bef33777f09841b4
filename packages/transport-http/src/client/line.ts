/** A place in a {@link Line}. */
export interface Place<T> {
  readonly value: T;
  ahead: Place<T> | undefined;
  behind: Place<T> | undefined;
}

/** Values in the order they came, each of which may leave from where it stands. See {@link IdTable} for why it is no Set. */
export class Line<T> {
  /** The one that came first, if anybody is there. */
  first: Place<T> | undefined;
  #last: Place<T> | undefined;

  /** All of them at present. */
  get values(): T[] {
    const values: T[] = [];
    for (let place = this.first; place !== undefined; place = place.behind) values.push(place.value);
    return values;
  }

  join(value: T): Place<T> {
    const place: Place<T> = { value, ahead: this.#last, behind: undefined };
    if (this.#last === undefined) this.first = place;
    else this.#last.behind = place;
    this.#last = place;
    return place;
  }

  /** Takes out one that is there. */
  leave(place: Place<T>): void {
    const { ahead, behind } = place;
    if (ahead === undefined) this.first = behind;
    else ahead.behind = behind;
    if (behind === undefined) this.#last = ahead;
    else behind.ahead = ahead;
    // An old object that points to newer ones keeps them.
    place.ahead = undefined;
    place.behind = undefined;
  }
}
