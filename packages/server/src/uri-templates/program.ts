import type { Expression, Part } from './parse.js';

/** One step of a matcher; a step without a jump is followed by the next one. */
export type Step =
  /** Matches this text. */
  | { readonly op: 'text'; readonly text: string }
  /** Matches one character that is not among these. */
  | { readonly op: 'not'; readonly stops: string }
  /** Continues at either step; the first is tried first. */
  | { readonly op: 'either'; readonly first: number; readonly second: number }
  /** Remembers the position under this number. */
  | { readonly op: 'mark'; readonly mark: number };

/** A value of the template in a matched URI: the text between the marks `mark` and `mark + 1`. */
export interface Capture {
  readonly expression: Expression;
  /** The variable; a named expression is captured whole. */
  readonly variable: number | undefined;
  readonly mark: number;
}

/** A template as steps for {@link run}. */
export interface Program {
  readonly steps: readonly Step[];
  readonly captures: readonly Capture[];
}

/** Returns the steps that match a template's parts from beginning to end, longest values first. */
export function toProgram(parts: readonly Part[]): Program {
  const builder = new Builder();
  for (const part of parts) {
    if (typeof part === 'string') builder.text(part);
    else if (part.operator.named) builder.named(part);
    else builder.positional(part);
  }
  return builder;
}

class Builder implements Program {
  readonly steps: Step[] = [];
  readonly captures: Capture[] = [];

  text(text: string): void {
    if (text !== '') this.steps.push({ op: 'text', text });
  }

  /** Values by position: the first may be missing only after a prefix, the others always. */
  positional(expression: Expression): void {
    const { operator, variables } = expression;
    const { first, separator } = operator;
    const skips: number[] = [];
    for (let index = 0; index < variables.length; index++) {
      const spec = variables[index];
      const prefix = index === 0 ? first : separator;
      if (prefix !== '') skips.push(this.#either());
      this.text(prefix);
      const mayHoldSeparator = variables.length === 1 || spec?.explode === true;
      const stops = mayHoldSeparator && separator !== '/' ? operator.stops : operator.stops + separator;
      this.#capture({ expression, variable: index }, () => {
        if (spec?.explode === true && separator === '/') this.#segments(stops);
        else if (prefix === '') this.#many(stops, 1);
        else this.#many(stops, 0);
      });
    }
    for (const skip of skips) this.#leadTo(skip);
  }

  /** The names in any order, each with its prefix, each optional. */
  named(expression: Expression): void {
    const { first, separator, stops } = expression.operator;
    const skip = this.#either();
    this.#capture({ expression, variable: undefined }, () => {
      this.text(first);
      const again = this.steps.length;
      this.#oneOfNames(expression);
      const noValue = this.#either();
      this.text('=');
      this.#many(stops, 0);
      this.#leadTo(noValue);
      const end = this.#either();
      this.text(separator);
      this.#jump(again);
      this.#leadTo(end);
    });
    this.#leadTo(skip);
  }

  #oneOfNames({ variables }: Expression): void {
    const ends: number[] = [];
    for (let index = 0; index < variables.length; index++) {
      const isLast = index === variables.length - 1;
      const another = isLast ? undefined : this.#either();
      this.text(variables[index]?.name ?? '');
      if (another === undefined) break;
      ends.push(this.#either());
      this.#leadTo(another);
    }
    for (const end of ends) this.#jumpFrom(end);
  }

  #segments(stops: string): void {
    const again = this.steps.length;
    this.#many(stops, 0);
    const end = this.#either();
    this.text('/');
    this.#jump(again);
    this.#leadTo(end);
  }

  #many(stops: string, least: 0 | 1): void {
    if (least === 1) this.steps.push({ op: 'not', stops });
    const loop = this.#either();
    this.steps.push({ op: 'not', stops });
    this.#jump(loop);
    this.#leadTo(loop);
  }

  #capture(what: Omit<Capture, 'mark'>, body: () => void): void {
    const mark = this.captures.length * 2;
    this.captures.push({ ...what, mark });
    this.steps.push({ op: 'mark', mark });
    body();
    this.steps.push({ op: 'mark', mark: mark + 1 });
  }

  /** Adds a choice between the next step and a step that `#leadTo` names later. */
  #either(): number {
    const at = this.steps.length;
    this.steps.push({ op: 'either', first: at + 1, second: at + 1 });
    return at;
  }

  #leadTo(at: number): void {
    this.steps[at] = { op: 'either', first: at + 1, second: this.steps.length };
  }

  #jump(to: number): void {
    this.steps.push({ op: 'either', first: to, second: to });
  }

  /** Makes a choice continue here. */
  #jumpFrom(at: number): void {
    this.steps[at] = { op: 'either', first: this.steps.length, second: this.steps.length };
  }
}
