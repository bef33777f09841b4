import type { Speaker } from '../connections/tapped-connection.js';

/** One message or event of a connection. */
export interface Step {
  /** Line in the file, from 1. */
  readonly line: number;
  /** Number of lines. */
  readonly lines: number;
  readonly from: Speaker;
  /** The frame; its text if it is not valid JSON; {@link closes} for the end. */
  readonly message: unknown;
}

/** Marks the end of a connection. */
export const closes: unique symbol = Symbol('closes');

/** The steps of one connection, in order. */
export type RecordedConnection = readonly Step[];

const arrows = { client: '→', server: '←' } as const;
const closing = '(closes)';

/** The first lines of a recording. */
export const opening = '# A recorded session\n\n`→` is what the client sent, `←` what the server sent.\n';

/** The text before and after the steps of one connection. */
export function blockOf(connection: number): readonly [begin: string, end: string] {
  return [`\n## Connection ${connection}\n\nWhat passed over it:\n\n\`\`\`transcript\n`, '```\n'];
}

/** Returns one step as a line. */
export function lineOf(from: Speaker, message: unknown): string {
  return `${arrows[from]} ${message === closes ? closing : JSON.stringify(message)}\n`;
}

/**
 * Reads a recording. Lines may have been edited. A frame may continue on lines indented by two or more spaces.
 * @returns the connections, in order
 * @throws SyntaxError with the line that cannot be read
 */
export function readTranscript(text: string): readonly RecordedConnection[] {
  const connections = new Map<number, Step[]>();
  let steps: Step[] | undefined;
  let isFenced = false;
  let unfinished: { line: number; lines: number; from: Speaker; text: string } | undefined;
  const finish = () => {
    if (unfinished !== undefined) steps?.push(stepOf(unfinished));
    unfinished = undefined;
  };
  for (const [index, row] of text.split('\n').entries()) {
    const line = index + 1;
    const heading = headingIn(row);
    if (row.startsWith('```')) {
      finish();
      isFenced = !isFenced && row.trim() === '```transcript';
    } else if (heading !== undefined && !isFenced) {
      steps = connections.get(heading) ?? [];
      connections.set(heading, steps);
    } else if (isFenced) {
      const from = speakerOf(row);
      if (from !== undefined) {
        finish();
        unfinished = { line, lines: 1, from, text: row.slice(2) };
      } else if (unfinished !== undefined && row.startsWith('  ')) {
        unfinished.text += `\n${row}`;
        unfinished.lines = line - unfinished.line + 1;
      } else if (row.trim() !== '') throw new SyntaxError(`Line ${line}: expected →, ← or an indented line.`);
      if (steps === undefined)
        throw new SyntaxError(`Line ${line}: "## Connection" is missing above this line.`);
    }
  }
  finish();
  return [...connections.values()];
}

/** Returns the highest number of a connection in a recording; 0 if there is none. @throws SyntaxError if the text is no recording */
export function lastConnection(text: string): number {
  readTranscript(text);
  return text.split('\n').reduce((last, row) => Math.max(last, headingIn(row) ?? 0), 0);
}

/** True if a recording ends within a block of steps. */
export function isInBlock(text: string): boolean {
  return text.split('\n').filter((row) => row.startsWith('```')).length % 2 === 1;
}

function headingIn(row: string): number | undefined {
  const number = /^## Connection (\d+)\s*$/.exec(row)?.[1];
  return number === undefined ? undefined : Number(number);
}

function speakerOf(row: string): Speaker | undefined {
  if (row.startsWith(`${arrows.client} `)) return 'client';
  return row.startsWith(`${arrows.server} `) ? 'server' : undefined;
}

function stepOf({ text, ...place }: { line: number; lines: number; from: Speaker; text: string }): Step {
  const { line } = place;
  if (text.trim() === closing) return { ...place, message: closes };
  try {
    return { ...place, message: JSON.parse(text) };
  } catch (cause) {
    throw new SyntaxError(`Line ${line}: invalid JSON: ${(cause as Error).message}.`, { cause });
  }
}
