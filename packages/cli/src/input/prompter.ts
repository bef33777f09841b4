import type { Readable, Writable } from 'node:stream';
import type { CANCEL_SYMBOL } from '@clack/prompts';
import { onAbort, printableText } from '@tenon/foundation';
import type { Terminal } from '../terminal/terminal.js';

/** A value to choose, and its title. */
interface PromptChoice<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** A field for text. */
interface TextPrompt {
  readonly message: string;
  readonly initial?: string | undefined;
  readonly placeholder?: string | undefined;
  /** Returns the problem with a text as a sentence; undefined if the text is valid. */
  readonly check?: (text: string) => string | undefined;
}

/** A field with choices. */
interface ChoicePrompt<T> {
  readonly message: string;
  readonly choices: readonly PromptChoice<T>[];
  readonly initial?: T | undefined;
}

/** A field with choices of which several are taken. */
interface ListPrompt {
  readonly message: string;
  readonly choices: readonly PromptChoice<string>[];
  readonly initial?: readonly string[];
  readonly isRequired: boolean;
}

/** Shows fields to the user at the terminal, on stderr. All answers are undefined if the user pressed Esc or Ctrl+C. */
export interface Prompter {
  say(text: string): void;
  text(field: TextPrompt): Promise<string | undefined>;
  /** A field for several lines: Enter on an empty line ends it. */
  lines(field: Pick<TextPrompt, 'message' | 'initial'>): Promise<string | undefined>;
  choice<T extends string | boolean>(field: ChoicePrompt<T>): Promise<T | undefined>;
  list(field: ListPrompt): Promise<readonly string[] | undefined>;
}

/** Returns the prompter of a terminal. Its fields end without an answer when the signal aborts. */
export async function prompterOf(terminal: Terminal, signal: AbortSignal): Promise<Prompter> {
  const { isCancel, log, multiline, multiselect, S_BAR, select, text } = await import('@clack/prompts');
  const { input, error } = terminal.source;
  const streams: { input: Readable; output: Writable } = { input, output: error };
  const answered = async <T>(
    field: (signal: AbortSignal) => Promise<T | typeof CANCEL_SYMBOL>,
  ): Promise<T | undefined> => {
    // The library listens to the signal of a field for ever, and would end the field once more.
    const end = new AbortController();
    const release = onAbort(signal, () => end.abort(signal.reason));
    const answer = await field(end.signal).finally(release);
    return isCancel(answer) ? undefined : (answer as T);
  };
  const ready = <T>(message: T & string): string => {
    terminal.clearStatus();
    return printableText(message);
  };
  return {
    say(message) {
      log.message(ready(message), { output: error });
    },
    async text({ message, initial, placeholder, check }) {
      return answered((end) =>
        text({
          signal: end,
          ...streams,
          // The library draws its bar before each line of choices, and before the first line of text only.
          message: ready(message).replaceAll('\n', `\n${S_BAR}  `),
          ...(initial !== undefined && { initialValue: printableText(initial) }),
          ...(placeholder !== undefined && { placeholder: printableText(placeholder) }),
          validate(value) {
            const problem = check?.(value ?? '');
            return problem === undefined ? undefined : printableText(problem);
          },
        }),
      );
    },
    async lines({ message, initial }) {
      return answered((end) =>
        multiline({
          signal: end,
          ...streams,
          message: ready(message).replaceAll('\n', `\n${S_BAR}  `),
          ...(initial !== undefined && { initialValue: printableText(initial) }),
        }),
      );
    },
    async choice({ message, choices, initial }) {
      type Value = (typeof choices)[number]['value'];
      return answered((end) =>
        select<Value>({
          signal: end,
          ...streams,
          message: ready(message),
          options: choices.map(plainChoice) as never,
          ...(initial !== undefined && { initialValue: initial }),
          showInstructions: false,
        }),
      );
    },
    async list({ message, choices, initial, isRequired }) {
      return answered((end) =>
        multiselect<string>({
          signal: end,
          ...streams,
          message: ready(message),
          options: choices.map(plainChoice),
          initialValues: initial ?? [],
          required: isRequired,
        }),
      );
    },
  };
}

function plainChoice<T>({ value, label, hint }: PromptChoice<T>) {
  return { value, label: printableText(label), ...(hint !== undefined && { hint: printableText(hint) }) };
}
