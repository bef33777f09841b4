import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { runCli } from '../src/run-cli.js';

/** A step of a user at the terminal: the text to wait for, and the keys to press then. */
export type Step = readonly [text: string, ...keys: readonly string[]];

/** Keys of a terminal. */
export const keys = {
  enter: '\r',
  down: '\u001b[B',
  up: '\u001b[A',
  space: ' ',
  escape: '\u001b',
  interrupt: '\u0003',
  end: '\u0004',
} as const;

/** The circumstances of a run at a terminal. */
interface PlayOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the text of each step, before its keys are pressed. */
  readonly onStep?: (text: string) => void;
}

/** Runs `tenon` at a terminal with a user who presses keys. Rejects if the program ends before all steps were done. */
export async function playTenon(
  words: readonly string[],
  steps: readonly Step[],
  { cwd = process.cwd(), env = {}, onStep }: PlayOptions = {},
) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 40 });
  const error = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 40 });
  const waiting = [...steps];
  let raw = '';
  let screen = '';
  let seen = 0;
  let stdout = '';
  output.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  error.on('data', (chunk: Buffer) => {
    raw += chunk.toString();
    screen += stripVTControlCharacters(chunk.toString());
    const [step] = waiting;
    if (step === undefined || !screen.slice(seen).includes(step[0])) return;
    waiting.shift();
    seen = screen.length;
    onStep?.(step[0]);
    press(input, step.slice(1));
  });
  const { signal } = new AbortController();
  const code = await runCli(words, { input, output, error, env, cwd, signal });
  if (waiting.length > 0) throw new Error(`Not seen: ${waiting.map(([text]) => text).join(', ')}\n${screen}`);
  return { code, stdout, screen, raw };
}

/** Presses keys one after the other, each in a turn of its own. */
function press(input: PassThrough, list: readonly string[]): void {
  const [key, ...rest] = list;
  if (key === undefined) return;
  setImmediate(() => {
    input.write(key);
    press(input, rest);
  });
}
