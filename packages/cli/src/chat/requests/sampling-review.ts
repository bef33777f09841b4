import type { CreateMessageParams, CreateMessageResult, SamplingMessage } from '@tenon/mcp-client';
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
  const { terminal } = screen;
  return {
    request(params, context) {
      const title = `${requesterOf(context)} asks for an answer of your model ${model.name}`;
      if (!terminal.isInteractive) {
        screen.note(`${title}: refused, because nobody can be asked here.`);
        return false;
      }
      const { signal } = context;
      return screen.ask(
        async () => reviewPrompt(params, { title, screen, prompter: await prompterOf(terminal, signal) }),
        signal,
      );
    },
    result(result, context) {
      const title = `The answer of ${model.name} for ${requesterOf(context)}`;
      const { signal } = context;
      return screen.ask(
        async () => reviewAnswer(result, { title, screen, prompter: await prompterOf(terminal, signal) }),
        signal,
      );
    },
  };
}

interface Reviewer {
  readonly title: string;
  readonly screen: Screen;
  readonly prompter: Prompter;
}

type Decision = 'send' | 'edit' | 'refuse';

async function reviewPrompt(
  given: CreateMessageParams,
  { title, screen, prompter }: Reviewer,
): Promise<CreateMessageParams | false> {
  let params = given;
  for (;;) {
    show(screen, title, promptParts(params));
    const decision = await decide(prompter, 'Send this prompt to your model?', 'Send it');
    if (decision === 'refuse') return false;
    if (decision === 'send') return params;
    params = await editPrompt(params, prompter);
  }
}

async function reviewAnswer(
  given: CreateMessageResult,
  { title, screen, prompter }: Reviewer,
): Promise<CreateMessageResult | false> {
  let result = given;
  for (;;) {
    show(screen, title, messageParts(result));
    const decision = await decide(prompter, 'Send this answer to the server?', 'Send it');
    if (decision === 'refuse') return false;
    if (decision === 'send') return result;
    const edited = await editMessage(result, prompter);
    result = edited === undefined ? result : { ...result, ...edited };
  }
}

function show({ terminal }: Screen, title: string, parts: readonly CardPart[]): void {
  terminal.note(cardOf(title, parts, { terminal, isWhole: true }).lines.join('\n'));
}

async function decide(prompter: Prompter, message: string, send: string): Promise<Decision> {
  const answer = await prompter.choice<Decision>({
    message,
    choices: [
      { value: 'refuse', label: 'Refuse' },
      { value: 'send', label: send },
      { value: 'edit', label: 'Change it first' },
    ],
  });
  return answer ?? 'refuse';
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
  const edited = message && (await editMessage(message, prompter));
  if (edited === undefined) return params;
  return { ...params, messages: messages.map((one, at) => (at === index ? { ...one, ...edited } : one)) };
}

async function editMessage(
  message: SamplingMessage,
  prompter: Prompter,
): Promise<Pick<SamplingMessage, 'content'> | undefined> {
  const initial = textOfMessage(message);
  const text = await prompter.lines({ message: 'Text (Enter twice ends it)', initial });
  if (text === undefined || text === initial) return undefined;
  const blocks = [message.content].flat();
  const at = blocks.findIndex(({ type }) => type === 'text');
  const content = { type: 'text', text } as const;
  if (blocks.length <= 1) return { content };
  return {
    content:
      at === -1 ? [content, ...blocks] : blocks.map((block, index) => (index === at ? content : block)),
  };
}

/** Returns the first text of a message. */
function textOfMessage({ content }: SamplingMessage): string | undefined {
  for (const block of [content].flat()) if (block.type === 'text') return block.text;
  return undefined;
}
