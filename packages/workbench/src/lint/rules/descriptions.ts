import { entriesOf, type LintRule, toolPlace } from './rule.js';

const pointer = '/description';

const missing: LintRule = {
  id: 'description-missing',
  severity: 'warning',
  about: 'Tools, prompts and templates have a description.',
  *check({ catalog }) {
    for (const { kind, place, entry } of entriesOf(catalog)) {
      if (kind === 'resource' || (entry.description ?? '').trim() !== '') continue;
      const use = kind === 'tool' ? 'models choose tools by it' : `people and models choose ${kind}s by it`;
      yield { place, pointer, message: `The description is missing; ${use}. Say what the ${kind} does.` };
    }
  },
};

const short: LintRule = {
  id: 'description-short',
  severity: 'warning',
  about: 'Descriptions of tools have at least as many characters as the limit `descriptionMin`.',
  *check({ catalog }, { descriptionMin }) {
    for (const tool of catalog.tools) {
      const length = (tool.description ?? '').trim().length;
      if (length === 0 || length >= descriptionMin) continue;
      yield {
        place: toolPlace(tool),
        pointer,
        message: `The description has ${length} characters. Say what the tool does, when to use it and what it returns.`,
      };
    }
  },
};

const long: LintRule = {
  id: 'description-long',
  severity: 'warning',
  about: 'Descriptions have at most as many characters as the limit `descriptionMax`.',
  *check({ catalog }, { descriptionMax }) {
    for (const { place, entry } of entriesOf(catalog)) {
      const { length } = entry.description ?? '';
      if (length <= descriptionMax) continue;
      yield {
        place,
        pointer,
        message: `The description has ${length} characters; clients cut or reject more than ${descriptionMax}. Shorten it, and move details to the parameters.`,
      };
    }
  },
};

const repeats: LintRule = {
  id: 'description-repeats-name',
  severity: 'warning',
  about: 'Descriptions say more than the name and the title.',
  *check({ catalog }) {
    for (const { place, entry } of entriesOf(catalog)) {
      const description = words(entry.description ?? '');
      if (description === '') continue;
      if (description !== words(entry.name) && description !== words(entry.title ?? '')) continue;
      yield { place, pointer, message: 'The description repeats the name. Say what the name does not say.' };
    }
  },
};

const titleMissing: LintRule = {
  id: 'title-missing',
  severity: 'info',
  about: 'Tools, prompts, resources and templates have a title for people.',
  *check({ catalog }) {
    for (const { kind, place, entry } of entriesOf(catalog)) {
      const title = entry.title ?? (kind === 'tool' ? entry.annotations?.title : undefined);
      if ((title ?? '').trim() !== '') continue;
      yield { place, pointer: '/title', message: 'The title is missing: people then see the name.' };
    }
  },
};

const titleRepeats: LintRule = {
  id: 'title-repeats-name',
  severity: 'info',
  about: 'Titles differ from names.',
  *check({ catalog }) {
    for (const { place, entry } of entriesOf(catalog)) {
      if (entry.title === undefined || entry.title !== entry.name || !/[_-]/.test(entry.name)) continue;
      yield {
        place,
        pointer: '/title',
        message: 'The title is the name. Write it for people, or leave it out.',
      };
    }
  },
};

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
