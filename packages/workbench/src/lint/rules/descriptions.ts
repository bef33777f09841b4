import { entryRule, type LintRule, toolRule } from './rule.js';

const pointer = '/description';

const missing = entryRule({
  id: 'description-missing',
  severity: 'warning',
  about: 'Tools, prompts and templates have a description.',
  pointer,
  problem({ kind, entry }) {
    if (kind === 'resource' || (entry.description ?? '').trim() !== '') return undefined;
    const use = kind === 'tool' ? 'models choose tools by it' : `people and models choose ${kind}s by it`;
    return `The description is missing; ${use}. Say what the ${kind} does.`;
  },
});

const short = toolRule({
  id: 'description-short',
  severity: 'warning',
  about: 'Descriptions of tools have at least as many characters as the limit `descriptionMin`.',
  pointer,
  problem({ tool }, { descriptionMin }) {
    const length = (tool.description ?? '').trim().length;
    if (length === 0 || length >= descriptionMin) return undefined;
    return `The description has ${length} characters. Say what the tool does, when to use it and what it returns.`;
  },
});

const long = entryRule({
  id: 'description-long',
  severity: 'warning',
  about: 'Descriptions have at most as many characters as the limit `descriptionMax`.',
  pointer,
  problem({ entry }, { descriptionMax }) {
    const { length } = entry.description ?? '';
    if (length <= descriptionMax) return undefined;
    return `The description has ${length} characters; clients cut or reject more than ${descriptionMax}. Shorten it, and move details to the parameters.`;
  },
});

const repeats = entryRule({
  id: 'description-repeats-name',
  severity: 'warning',
  about: 'Descriptions say more than the name and the title.',
  pointer,
  problem({ entry }) {
    const description = words(entry.description ?? '');
    if (description === '') return undefined;
    if (description !== words(entry.name) && description !== words(entry.title ?? '')) return undefined;
    return 'The description repeats the name. Say what the name does not say.';
  },
});

const titleMissing = entryRule({
  id: 'title-missing',
  severity: 'info',
  about: 'Tools, prompts, resources and templates have a title for people.',
  pointer: '/title',
  problem({ kind, entry }) {
    const title = entry.title ?? (kind === 'tool' ? entry.annotations?.title : undefined);
    if ((title ?? '').trim() !== '') return undefined;
    return 'The title is missing: people then see the name.';
  },
});

const titleRepeats = entryRule({
  id: 'title-repeats-name',
  severity: 'info',
  about: 'Titles differ from names.',
  pointer: '/title',
  problem({ entry }) {
    if (entry.title === undefined || entry.title !== entry.name || !/[_-]/.test(entry.name)) return undefined;
    return 'The title is the name. Write it for people, or leave it out.';
  },
});

/** Returns a text as words, for comparisons: "getUser", "get_user" and "Get user." are the same. */
function words(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Rules about titles and descriptions. */
export const descriptionRules: readonly LintRule[] = [
  missing,
  short,
  long,
  repeats,
  titleMissing,
  titleRepeats,
];
