/** Colours texts, or leaves them as they are. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

/** Where text goes, as far as it matters here. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Whether lines can be written over again. */
export function isTerminal(screen: Screen, environment: NodeJS.ProcessEnv): boolean {
  return screen.isTTY === true && environment.TERM !== 'dumb';
}

/** Colours for a terminal, unless NO_COLOR asks for none. https://no-color.org */
export function paintFor(screen: Screen, environment: NodeJS.ProcessEnv): Paint {
  const coloured = isTerminal(screen, environment) && !environment.NO_COLOR;
  const style = (on: number, off: number) => (text: string) =>
    coloured && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { bold: style(1, 22), dim: style(2, 22), good: style(32, 39), bad: style(31, 39) };
}
