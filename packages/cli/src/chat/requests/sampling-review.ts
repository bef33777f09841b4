import type { CreateMessageParams, SamplingMessage } from '@tenon/mcp-client';
import type { InputContext, SamplingReview } from '@tenon/mcp-host';
import type { Model } from '@tenon/mcp-host/models';
import { type Prompter, prompterOf } from '../../input/prompter.js';
import { type CardPart, cardOf } from '../screen/card.js';
import type { Screen } from '../screen/screen.js';
import { shortLine } from '../screen/shown-text.js';

/**
 * Returns the review of sampling: the user sees and can change the prompt before the model receives it, and the answer before the server does. Either can be
 * refused. Without a terminal, all requests are refused.
 */
export function samplingReview(
  screen: Screen,
  model: Model,
  requesterOf: (context: InputContext) => string,
): SamplingReview {
  return {
    request(params, context) {
      const title = `${requesterOf(context)} asks for an answer of your model ${model.name}`;
      if (!screen.terminal.isInteractive) {
        screen.note(`${title}: refused, because nobody can be asked here.`);
        return false;
      }
      return reviewed(params, {
        ...{ title, screen, question: 'Send this prompt to your model?' },
        ...{ parts: promptParts, edit: editPrompt, signal: context.signal },
      });
    },
    result(result, context) {
      const title = `The answer of ${model.name} for ${requesterOf(context)}`;
      return reviewed(result, {
        ...{ title, screen, question: 'Send this answer to the server?' },
        ...{ parts: messageParts, edit: editMessage, signal: context.signal },
      });
    },
  };
}

/** The way in which the user reviews a value. */
interface Review<Value> {
  readonly title: string;
  readonly screen: Screen;
  readonly question: string;
  readonly parts: (value: Value) => readonly CardPart[];
  readonly edit: (value: Value, prompter: Prompter) => Promise<Value>;
  readonly signal: AbortSignal;
}

/** Shows a value until the user sends it, or refuses it: returns false then. */
function reviewed<Value>(
  given: Value,
  { title, screen, question, parts, edit, signal }: Review<Value>,
): Promise<Value | false> {
  const { terminal } = screen;
  return screen.ask(async () => {
    const prompter = await prompterOf(terminal, signal);
    let value = given;
    for (;;) {
      terminal.note(cardOf(title, parts(value), { terminal, isWhole: true }).lines.join('\n'));
      const decision = await prompter.choice<'send' | 'edit' | 'refuse'>({
        message: question,
        choices: [
          { value: 'refuse', label: 'Refuse' },
          { value: 'send', label: 'Send it' },
          { value: 'edit', label: 'Change it first' },
        ],
      });
      if (decision === 'send') return value;
      if (decision !== 'edit') return false;
      value = await edit(value, prompter);
    }
  }, signal);
}

function promptParts({ systemPrompt, messages, maxTokens, tools }: CreateMessageParams): readonly CardPart[] {
  return [
    ...(systemPrompt === undefined ? [] : [{ label: 'system', data: systemPrompt }]),
    ...messages.flatMap((message) => messageParts(message)),
    ...(tools === undefined ? [] : [{ label: 'tools', data: tools.map(({ name }) => name).join(', ') }]),
    { label: 'limit', data: `${maxTokens} tokens` },
  ];
}

function messageParts({ role, content }: SamplingMessage): readonly CardPart[] {
  return [content].flat().map((block) => {
    if (block.type === 'text') return { label: role, data: block.text };
    if (block.type === 'image' || block.type === 'audio')
      return {
        label: role,
        data: `[${block.type}] ${block.mimeType}, ${Math.ceil(block.data.length * 0.75)} bytes`,
      };
    return { label: role, value: block };
  });
}

async function editPrompt(params: CreateMessageParams, prompter: Prompter): Promise<CreateMessageParams> {
  const { systemPrompt, messages } = params;
  const texts = messages.flatMap((message, index) =>
    textOfMessage(message) === undefined
      ? []
      : [{ value: String(index), label: `${message.role}: ${shortLine(textOfMessage(message) ?? '', 60)}` }],
  );
  const system = {
    value: 'system',
    label: systemPrompt === undefined ? 'Add a system prompt' : 'The system prompt',
  };
  const chosen = await prompter.choice<string>({
    message: 'Change which text?',
    choices: [...texts, system],
  });
  if (chosen === undefined) return params;
  if (chosen === 'system') {
    const text = await prompter.lines({
      message: 'System prompt (Enter twice ends it)',
      initial: systemPrompt,
    });
    return text === undefined ? params : { ...params, systemPrompt: text };
  }
  const index = Number(chosen);
  const message = messages[index];
  if (message === undefined) return params;
  const edited = await editMessage(message, prompter);
  return { ...params, messages: messages.map((one, at) => (at === index ? edited : one)) };
}

/** Returns a message, or a result, with the text of the user. */
async function editMessage<Message extends SamplingMessage>(
  message: Message,
  prompter: Prompter,
): Promise<Message> {
  const initial = textOfMessage(message);
  const text = await prompter.lines({ message: 'Text (Enter twice ends it)', initial });
  if (text === undefined || text === initial) return message;
  const blocks = [message.content].flat();
  const at = blocks.findIndex(({ type }) => type === 'text');
  const content = { type: 'text', text } as const;
  if (blocks.length <= 1) return { ...message, content };
  return {
    ...message,
    content:
      at === -1 ? [content, ...blocks] : blocks.map((block, index) => (index === at ? content : block)),
  };
}

/** Returns the first text of a message. */
function textOfMessage({ content }: SamplingMessage): string | undefined {
  for (const block of [content].flat()) if (block.type === 'text') return block.text;
  return undefined;
}
