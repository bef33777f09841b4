import type { Speaker } from '../connections/tapped-connection.js';

/** One message or event of a connection. */
export interface Step {
  /** Line in the file, from 1. */
  readonly line: number;
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
  let unfinished: { line: number; from: Speaker; text: string } | undefined;
  const finish = () => {
    if (unfinished !== undefined) steps?.push(stepOf(unfinished));
    unfinished = undefined;
  };
  for (const [index, row] of text.split('\n').entries()) {
    const line = index + 1;
    const heading = /^## Connection (\d+)\s*$/.exec(row)?.[1];
    if (row.startsWith('```')) {
      finish();
      isFenced = !isFenced && row.trim() === '```transcript';
    } else if (heading !== undefined && !isFenced) {
      steps = connections.get(Number(heading)) ?? [];
      connections.set(Number(heading), steps);
    } else if (isFenced) {
      const from = speakerOf(row);
      if (from !== undefined) {
        finish();
        unfinished = { line, from, text: row.slice(2) };
      } else if (unfinished !== undefined && row.startsWith('  ')) unfinished.text += `\n${row}`;
      else if (row.trim() !== '') throw new SyntaxError(`Line ${line}: expected →, ← or an indented line.`);
      if (steps === undefined)
        throw new SyntaxError(`Line ${line}: "## Connection" is missing above this line.`);
    }
  }
  finish();
  return [...connections.values()];
}

function speakerOf(row: string): Speaker | undefined {
  if (row.startsWith(`${arrows.client} `)) return 'client';
  return row.startsWith(`${arrows.server} `) ? 'server' : undefined;
}

function stepOf({ line, from, text }: { line: number; from: Speaker; text: string }): Step {
  if (text.trim() === closing) return { line, from, message: closes };
  try {
    return { line, from, message: JSON.parse(text) };
  } catch (cause) {
    throw new SyntaxError(`Line ${line}: invalid JSON: ${(cause as Error).message}.`, { cause });
  }
}
