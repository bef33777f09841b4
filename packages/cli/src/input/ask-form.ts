import type { ElicitFormParams, ElicitResult, FormField, FormSchema, FormValue } from '@tenon/mcp-client';
import { formProblem, withFormDefaults } from '@tenon/mcp-client/ui';
import { choicesOf, isSecretField } from '@tenon/mcp-workbench/calls';
import { printableJson } from '@tenon/mcp-workbench/printable';
import type { Prompter } from './prompter.js';

type Content = { [field: string]: FormValue };

/** Fills in a form at the terminal, field by field; the user reviews the answers before they are sent. */
export async function askForm(
  { message, requestedSchema }: ElicitFormParams,
  { server, prompter }: { server: string; prompter: Prompter },
): Promise<ElicitResult> {
  const fields = Object.entries(requestedSchema.properties);
  const secret = fields.find(([name, field]) => isSecretField(name, field));
  const title = `${server} requests input:\n${message}`;
  if (secret !== undefined) {
    prompter.say(
      `${title}\nDeclined: the field "${secret[0]}" looks like a secret, which servers must not request in a form. ` +
        'Answer with --answers FILE if the field is harmless.',
    );
    return { action: 'decline' };
  }
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
