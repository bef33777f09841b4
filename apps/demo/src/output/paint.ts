/** Colours texts, or returns them unchanged. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

/** The part of an output stream that the demo uses. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** True if lines can be overwritten. */
export function isTerminal(screen: Screen, environment: NodeJS.ProcessEnv): boolean {
  return screen.isTTY === true && environment.TERM !== 'dumb';
}

/** Colours for a terminal, unless NO_COLOR is set. https://no-color.org */
export function paintFor(screen: Screen, environment: NodeJS.ProcessEnv): Paint {
  const coloured = isTerminal(screen, environment) && !environment.NO_COLOR;
  const style = (on: number, off: number) => (text: string) =>
    coloured && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { bold: style(1, 22), dim: style(2, 22), good: style(32, 39), bad: style(31, 39) };
}
