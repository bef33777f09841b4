import { confirm, isCancel, multiselect, select, text } from '@clack/prompts';
import { Cancelled } from '../failure.js';
import { type featureTemplates, hasFeature, type Template, templates } from '../project/choices.js';
import type { Source } from './words.js';

const features = {
  auth: 'Access tokens: only callers that signed in',
  docker: 'A Dockerfile',
  test: 'A test',
} as const;

/** Prompts at the terminal, on stderr. Each rejects with Cancelled if the user presses Ctrl+C. */
export class Prompts {
  readonly #streams: Pick<Source, 'input' | 'signal'> & { readonly output: Source['error'] };

  constructor({ input, error, signal }: Source) {
    this.#streams = { input, output: error, signal };
  }

  /** Returns a line of text. `problem` returns why an answer is not accepted. */
  async line(
    message: string,
    preset: string,
    problem: (answer: string) => string | undefined,
  ): Promise<string> {
    const validate = (answer: string | undefined) => problem(answer || preset);
    const asking = text({ ...this.#streams, message, placeholder: preset, defaultValue: preset, validate });
    return accepted(await asking);
  }

  /** Returns the chosen template. */
  async template(): Promise<Template> {
    const width = Math.max(...Object.keys(templates).map((name) => name.length));
    const options = Object.entries(templates).map(([value, text]) => ({
      value: value as Template,
      label: `${value.padEnd(width)}  ${text}`,
    }));
    return accepted(await select({ ...this.#streams, message: 'Which template?', options }));
  }

  /** Returns the chosen features of a template. Those in `known` are decided. */
  async features(
    template: Template,
    known: Partial<Readonly<Record<keyof typeof features, boolean>>>,
  ): Promise<Record<keyof typeof features, boolean>> {
    const open = (Object.keys(features) as (keyof typeof features)[]).filter((name) => {
      const isPossible = name === 'test' || hasFeature(template, name as keyof typeof featureTemplates);
      return isPossible && known[name] === undefined;
    });
    const chosen = open.length === 0 ? [] : await this.#several(open);
    const decide = (name: keyof typeof features) => known[name] ?? chosen.includes(name);
    return { auth: decide('auth'), docker: decide('docker'), test: decide('test') };
  }

  async #several(names: readonly (keyof typeof features)[]): Promise<(keyof typeof features)[]> {
    const options = names.map((value) => ({ value, label: features[value] }));
    const message = 'What else? (space chooses)';
    const initialValues = names.filter((name) => name === 'test');
    return accepted(
      await multiselect({ ...this.#streams, message, options, initialValues, required: false }),
    );
  }

  /** Returns true if the user agrees. */
  async agree(message: string, initialValue: boolean): Promise<boolean> {
    return accepted(await confirm({ ...this.#streams, message, initialValue }));
  }
}

function accepted<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer)) throw new Cancelled();
  return answer as Exclude<Answer, symbol>;
}
