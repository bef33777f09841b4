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
 * Returns the consent function of a conversation: it shows a card and asks. Without a terminal, it denies.
 * @param onAnswer - receives each answer.
 */
export function askConsent(
  screen: Screen,
  onAnswer: (question: ConsentRequest, answer: ConsentAnswer) => void,
): Consent {
  return async (question, { signal }) => {
    const answer = await screen.ask(() => askOnce(screen, question, signal), signal);
    onAnswer(question, answer);
    return answer;
  };
}

async function askOnce(screen: Screen, asked: ConsentRequest, signal: AbortSignal): Promise<ConsentAnswer> {
  const { terminal } = screen;
  const { title, parts, question, isLasting } = consentText(asked);
  // What starts a program, and what has changed, is shown whole.
  const isWhole = asked.request.kind === 'start' || asked.change !== undefined;
  const card = cardOf(title, parts, { terminal, isWhole });
  terminal.note(card.lines.join('\n'));
  if (!terminal.isInteractive) {
    terminal.note(
      `${shownText(question)} Nobody can be asked here: no. Allow it with --allow, such as --allow ${asked.request.server}`,
    );
    return 'no';
  }
  const { choice } = await prompterOf(terminal, signal);
  let { rest } = card;
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
    if (answer !== 'rest') return answer ?? 'no';
    terminal.note(rest.join('\n'));
    rest = [];
  }
}
