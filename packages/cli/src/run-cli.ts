import { CommanderError } from 'commander';
import { Interrupted, interrupted } from './exit-codes.js';
import { createProgram } from './program.js';
import { Terminal, type TerminalSource } from './terminal/terminal.js';

/** The place where a run of the program reads and prints, and the signal that interrupts it. */
interface CliSource extends TerminalSource {
  /** Aborts when the user presses Ctrl+C. */
  readonly signal: AbortSignal;
}

/**
 * Runs the program, and returns its exit code. It does not reject: errors are printed to stderr.
 * @param words - the arguments without the program.
 */
export async function runCli(words: readonly string[], source: CliSource): Promise<number> {
  const terminal = new Terminal(source);
  const end = words.indexOf('--');
  const own = withoutHelpCommand(end === -1 ? words : words.slice(0, end));
  const serverCommand = end === -1 ? [] : words.slice(end + 1);
  const program = createProgram({ terminal, serverCommand, signal: source.signal });
  try {
    await program.parseAsync(own, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (source.signal.aborted || error instanceof Interrupted) return interrupted;
    // Loaded with the first error: `--help` does not need it.
    const { reportFailure } = await import('./terminal/report-failure.js');
    const command = program.commands.find((one) => one.name() === own[0])?.name();
    return reportFailure(error, { terminal, json: own.includes('--json'), command, words: own });
  }
}

/** Returns the words with `help NAME` as `NAME --help`. */
function withoutHelpCommand(words: readonly string[]): readonly string[] {
  return words[0] === 'help' ? [...words.slice(1), '--help'] : words;
}
