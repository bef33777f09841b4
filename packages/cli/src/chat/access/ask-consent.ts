import type { Consent, ConsentAnswer, ConsentRequest } from '@tenon/mcp-host';
import { prompterOf } from '../../input/prompter.js';
import { cardOf } from '../screen/card.js';
import type { Screen } from '../screen/screen.js';
import { shownText } from '../screen/shown-text.js';
import { consentText } from './consent-card.js';

const words: Readonly<Record<ConsentAnswer, string>> = {
  once: 'Yes, once',
  run: 'Yes, until this conversation ends',
  always: 'Yes, always',
  no: 'No',
  never: 'No, never',
};

/**
 * Returns the consent function of a conversation: it shows a card and asks. Without a terminal, it shows the card and rejects.
 * @param onAnswer - receives each answer.
 */
export function askConsent(
  screen: Screen,
  onAnswer: (asked: ConsentRequest, answered: Answered) => void,
): Consent {
  return async (asked, { signal }) => {
    const answered = await screen.ask(() => askOnce(screen, asked, signal), signal);
    onAnswer(asked, answered);
    return answered.answer;
  };
}

/** The answer of the user. */
interface Answered {
  readonly answer: ConsentAnswer;
  /** True if the card was shown whole before the answer. */
  readonly isSeen: boolean;
}

/** Returns the rule that allows a request; undefined if no rule does, or its text would not fit a command line. */
function ruleFor({ request, change }: ConsentRequest): string | undefined {
  const { kind, server, name } = request;
  if (change !== undefined || kind === 'skill-tools') return undefined;
  const rule = kind === 'tool' ? `${server}.${name}` : server;
  return /^[\w.-]{1,200}$/.test(rule) ? rule : undefined;
}

async function askOnce(screen: Screen, asked: ConsentRequest, signal: AbortSignal): Promise<Answered> {
  const { terminal } = screen;
  const { title, parts, question, isLasting } = consentText(asked);
  // What starts a program, and what has changed, is shown whole.
  const isWhole = asked.request.kind === 'start' || asked.change !== undefined;
  const card = cardOf(title, parts, { terminal, isWhole });
  let { rest } = card;
  terminal.note(card.lines.join('\n'));
  if (!terminal.isInteractive) {
    const rule = ruleFor(asked);
    terminal.note(
      `${shownText(question)} There is no terminal to ask you, so it is refused.${rule === undefined ? '' : ` To allow it: --allow ${rule}`}`,
    );
    throw new Error('There is no terminal to ask the user.');
  }
  const { choice } = await prompterOf(terminal, signal);
  for (;;) {
    const answers = (['no', 'once', 'run', ...(isLasting ? ['always' as const] : []), 'never'] as const).map(
      (value) => ({ value, label: words[value] }),
    );
    const more =
      rest.length === 0 ? [] : [{ value: 'rest' as const, label: `Show ${rest.length} more lines` }];
    const answer = await choice<ConsentAnswer | 'rest'>({
      message: shownText(question),
      choices: [...more, ...answers],
      initial: more[0]?.value ?? 'no',
    });
    if (answer !== 'rest') return { answer: answer ?? 'no', isSeen: rest.length === 0 };
    terminal.note(rest.join('\n'));
    rest = [];
  }
}
