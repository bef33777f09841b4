import { printableJson } from '@tenon/foundation';
import {
  type CreateMessageParams,
  type CreateMessageResult,
  type ElicitFormParams,
  type ElicitResult,
  ErrorCode,
  type FormField,
  type FormSchema,
  type FormValue,
  type OnElicitUrl,
  RpcError,
  textOf,
} from '@tenon/mcp-client';
import { consentToUrl, formProblem, withFormDefaults } from '@tenon/mcp-client/ui';
import { choicesOf, isSecretField } from '@tenon/mcp-workbench/calls';
import type { Prompter } from './prompter.js';

type Content = { [field: string]: FormValue };

/** The person who fills in a form, and the server that requests it. */
interface FormUser {
  readonly server: string;
  readonly prompter: Prompter;
  /** Names of fields that seem to request a secret: the user is warned. Default: a form with such a field is declined. */
  readonly secretFields?: readonly string[];
}

/** Fills in a form at the terminal, field by field; the user reviews the answers before they are sent. */
export async function askForm(
  { message, requestedSchema }: ElicitFormParams,
  { server, prompter, secretFields }: FormUser,
): Promise<ElicitResult> {
  const fields = Object.entries(requestedSchema.properties);
  const secret = fields.find(([name, field]) => isSecretField(name, field));
  const title = `${server} requests input:\n${message}`;
  if (secret !== undefined && secretFields === undefined) {
    prompter.say(
      `${title}\nDeclined: the field "${secret[0]}" looks like a secret, which servers must not request in a form. ` +
        'Answer with --answers FILE if the field is harmless.',
    );
    return { action: 'decline' };
  }
  const doubtful = new Set([...(secret === undefined ? [] : [secret[0]]), ...(secretFields ?? [])]);
  if (doubtful.size > 0)
    prompter.say(
      `Warning: ${[...doubtful].map((name) => `"${name}"`).join(', ')} looks like a secret. A server must not request secrets in a form: ` +
        'decline unless you know that it is harmless.',
    );
  prompter.say(`${title}\nPress Esc to decline or cancel.`);
  let content: Content = {};
  for (;;) {
    const filled = await fillIn(requestedSchema, { content, prompter });
    const isFilled = filled !== undefined;
    const action = await review(filled, prompter);
    if (action === 'accept' && isFilled) return { action, content: filled };
    if (action === 'decline' || action === 'cancel') return { action };
    content = filled ?? content;
  }
}

async function review(
  content: Content | undefined,
  prompter: Prompter,
): Promise<ElicitResult['action'] | 'change'> {
  const send = { value: 'accept', label: 'Send' } as const;
  const rest = [
    { value: 'change', label: content === undefined ? 'Fill in the form' : 'Change' },
    { value: 'decline', label: 'Decline', hint: 'the server learns that you said no' },
    { value: 'cancel', label: 'Cancel', hint: 'without an answer' },
  ] as const;
  const isEmpty = content === undefined || Object.keys(content).length === 0;
  const lines = isEmpty ? '' : `\n${printableJson(content, 2)}`;
  const answer = await prompter.choice<ElicitResult['action'] | 'change'>({
    message: content === undefined ? 'The form is not complete.' : `Send this answer?${lines}`,
    choices: content === undefined ? rest : [send, ...rest],
  });
  return answer ?? 'cancel';
}

async function fillIn(
  schema: FormSchema,
  { content: before, prompter }: { content: Content; prompter: Prompter },
): Promise<Content | undefined> {
  const content: Content = {};
  const defaults = withFormDefaults(schema, before);
  for (const [name, field] of Object.entries(schema.properties)) {
    const isRequired = schema.required?.includes(name) === true;
    const initial = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
    const answer = await askField({ name, field, isRequired, initial }, prompter);
    if (answer === undefined) return undefined;
    if (answer !== leftOut) content[name] = answer;
  }
  return content;
}

/** The answer to an optional field that stays empty. */
const leftOut = Symbol('left out');

interface Field {
  readonly name: string;
  readonly field: FormField;
  readonly isRequired: boolean;
  readonly initial: FormValue | undefined;
}

async function askField(asked: Field, prompter: Prompter): Promise<FormValue | typeof leftOut | undefined> {
  const { name, field, isRequired, initial } = asked;
  const message = labelOf(asked);
  const choices = choicesOf(field)?.map(({ value, title }) => ({ value, label: title }));
  if (field.type === 'array') {
    const start = Array.isArray(initial) ? initial : [];
    const answer = await listAnswer(asked, { message, choices: choices ?? [], start }, prompter);
    return answer !== undefined && answer.length === 0 && !isRequired && initial === undefined
      ? leftOut
      : answer;
  }
  const none = isRequired ? [] : [{ value: '', label: '(leave empty)' }];
  if (choices !== undefined) {
    const start = typeof initial === 'string' ? initial : none[0]?.value;
    const answer = await prompter.choice({ message, choices: [...choices, ...none], initial: start });
    return answer === '' && !choices.some(({ value }) => value === '') ? leftOut : answer;
  }
  if (field.type === 'boolean') {
    const options = [{ value: 'yes', label: 'Yes' }, { value: 'no', label: 'No' }, ...none];
    const start = initial === true ? 'yes' : 'no';
    const answer = await prompter.choice({
      message,
      choices: options,
      initial: initial === undefined ? none[0]?.value : start,
    });
    if (answer === undefined) return undefined;
    return answer === '' ? leftOut : answer === 'yes';
  }
  const answer = await prompter.text({
    message,
    initial: initial === undefined ? undefined : String(initial),
    placeholder: placeholderOf(field),
    check: (text) => (text === '' && !isRequired ? undefined : fieldProblem(name, field, text)),
  });
  if (answer === undefined) return undefined;
  return answer === '' && !isRequired ? leftOut : fieldValue(field, answer);
}

async function listAnswer(
  { name, field, isRequired }: Field,
  {
    message,
    choices,
    start,
  }: { message: string; choices: readonly { value: string; label: string }[]; start: readonly string[] },
  prompter: Prompter,
): Promise<readonly string[] | undefined> {
  for (;;) {
    const answer = await prompter.list({
      message,
      choices,
      initial: start,
      isRequired: isRequired && field.minItems !== 0,
    });
    if (answer === undefined || (answer.length === 0 && !isRequired)) return answer;
    const problem = formProblem({ type: 'object', properties: { [name]: field } }, { [name]: answer });
    if (problem === undefined) return answer;
    prompter.say(problem);
  }
}

function labelOf({ name, field, isRequired }: Field): string {
  const title = typeof field.title === 'string' ? field.title : name;
  const description = typeof field.description === 'string' ? `: ${field.description}` : '';
  return `${title}${isRequired ? '' : ' (optional)'}${description}`;
}

function placeholderOf({ type, format, minimum, maximum }: FormField): string | undefined {
  const examples: Readonly<Record<string, string>> = {
    email: 'name@example.com',
    uri: 'https://example.com',
    date: 'YYYY-MM-DD',
    'date-time': 'YYYY-MM-DDThh:mm:ssZ',
  };
  if (typeof format === 'string' && Object.hasOwn(examples, format)) return examples[format];
  if (type !== 'number' && type !== 'integer') return undefined;
  const from = typeof minimum === 'number' ? ` from ${minimum}` : '';
  const to = typeof maximum === 'number' ? ` to ${maximum}` : '';
  return `${type === 'integer' ? 'an integer' : 'a number'}${from}${to}`;
}

function fieldValue(field: FormField, text: string): FormValue {
  return field.type === 'string' || text.trim() === '' ? text : Number(text);
}

/** Returns the problem with a text as the value of a field; undefined if it is valid. */
function fieldProblem(name: string, field: FormField, text: string): string | undefined {
  const value = fieldValue(field, text);
  const problem = formProblem({ type: 'object', properties: { [name]: field } }, { [name]: value });
  return problem?.slice(name.length + 2);
}

/** The dependencies of {@link askPage}. */
interface PageQuestion {
  readonly prompter: () => Promise<Prompter>;
  readonly nameOf: (server: { readonly name: string } | undefined) => string;
  /** Opens an address in the user's browser. */
  readonly open: (href: string) => Promise<void>;
}

/** Returns the handler that shows the whole address of a page, and opens it after consent. */
export function askPage({ prompter, nameOf, open }: PageQuestion): OnElicitUrl {
  return (params, context) => {
    let isOpenedByUser = false;
    const handler = consentToUrl({
      async confirm({ message, address }, { server }) {
        const { say, choice } = await prompter();
        const warnings = address.warnings.map(({ text }) => `Warning: ${text}`);
        say(
          [`${nameOf(server)} asks you to visit a page:`, message, '', address.href, ...warnings].join('\n'),
        );
        const answer = await choice<'open' | 'self' | 'decline' | 'cancel'>({
          message: `Open the page at ${address.host}?`,
          choices: [
            { value: 'decline', label: 'Decline' },
            { value: 'open', label: 'Open it in the browser' },
            { value: 'self', label: 'I have opened it myself' },
            { value: 'cancel', label: 'Cancel', hint: 'without an answer' },
          ],
        });
        isOpenedByUser = answer === 'self';
        if (answer === 'open' || answer === 'self') return 'accept';
        return answer ?? 'cancel';
      },
      open: (href) => (isOpenedByUser ? undefined : openOrTell(href)),
    });
    const openOrTell = async (href: string): Promise<void> => {
      const { say } = await prompter();
      await open(href).catch(() => say(`No browser can be opened here. Open the page yourself:\n${href}`));
    };
    return handler(params, context);
  };
}

/** Shows a sampling request, and lets the user write the answer of the model or decline. @throws RpcError if the user declines. */
export async function askSample(
  { messages, systemPrompt, maxTokens }: CreateMessageParams,
  { server, prompter }: { server: string; prompter: Prompter },
): Promise<CreateMessageResult> {
  const shown = messages.map(({ role, content }) => {
    const blocks = Array.isArray(content) ? content : [content];
    const others = blocks.filter(({ type }) => type !== 'text').map(({ type }) => `[${type}]`);
    return `${role}: ${[textOf(content), ...others].filter((text) => text !== '').join(' ')}`;
  });
  const system = systemPrompt === undefined ? [] : [`system: ${systemPrompt}`];
  prompter.say(
    [`${server} requests an answer of a model, of at most ${maxTokens} tokens:`, ...system, ...shown].join(
      '\n',
    ),
  );
  const action = await prompter.choice<'write' | 'decline'>({
    message: 'There is no model here.',
    choices: [
      { value: 'write', label: 'Write the answer' },
      { value: 'decline', label: 'Decline' },
    ],
  });
  const text = action === 'write' ? await prompter.text({ message: 'Answer' }) : undefined;
  if (text === undefined)
    throw new RpcError(ErrorCode.userRejected, 'The user rejected the sampling request.');
  return { role: 'assistant', content: { type: 'text', text }, model: 'user', stopReason: 'endTurn' };
}
