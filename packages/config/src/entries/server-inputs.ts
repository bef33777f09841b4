import { isRecord } from '@tenon/foundation';
import { referencesOf, type ServerEntry } from './server-entry.js';

/** A value that the user of a server has to give: `${input:id}` in its entry. All texts are those of the file. */
export interface ServerInput {
  readonly id: string;
  readonly description?: string;
  /** True unless the file declares the input without `password`. */
  readonly isSecret: boolean;
  /** The value that the user may keep. */
  readonly initial?: string;
  /** The values to choose from. */
  readonly choices?: readonly string[];
}

/**
 * Returns the inputs that an entry refers to.
 * @param declared - the member `inputs` of the file.
 */
export function inputsOf(entry: ServerEntry, declared: unknown): ServerInput[] {
  const ids = new Set(referencesOf(entry).flatMap((one) => ('input' in one ? [one.input] : [])));
  const known = Array.isArray(declared) ? declared.filter(isRecord) : [];
  return [...ids].map((id) => {
    const one = known.find((candidate) => candidate.id === id);
    if (one === undefined) return { id, isSecret: true };
    const { description, default: initial, options, password } = one;
    return {
      id,
      isSecret: password !== undefined && password !== false,
      ...(typeof description === 'string' && { description }),
      ...(typeof initial === 'string' && { initial }),
      ...(Array.isArray(options) && { choices: options.flatMap(choiceOf) }),
    };
  });
}

function choiceOf(option: unknown): string[] {
  const value: unknown = isRecord(option) ? option.value : option;
  return typeof value === 'string' ? [value] : [];
}
