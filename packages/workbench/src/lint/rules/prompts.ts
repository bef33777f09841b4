import { type LintPlace, type LintRule, quoted, rulesOf } from './rule.js';

const promptRule = rulesOf(({ catalog }) =>
  catalog.prompts.map(({ name, arguments: list = [] }) => ({ place: placeOf(name), list })),
);

const argumentRule = rulesOf(({ catalog }) =>
  catalog.prompts.flatMap(({ name, arguments: list = [] }) =>
    list.map((argument, index) => ({ place: placeOf(name), at: `/arguments/${index}`, argument })),
  ),
);

function placeOf(name: string): LintPlace {
  return { kind: 'prompt', name };
}

const descriptions = argumentRule({
  id: 'prompt-argument-description',
  severity: 'warning',
  about: 'Arguments of prompts have a description.',
  pointer: '/description',
  problem: ({ argument: { name, description = '' } }) =>
    description.trim() !== ''
      ? undefined
      : `The argument ${quoted(name)} has no description, which clients show where people fill it in. Add one.`,
});

const order = promptRule({
  id: 'prompt-argument-order',
  severity: 'info',
  about: 'Required arguments of prompts come before optional ones.',
  problem({ list }) {
    const optional = list.findIndex(({ required }) => required !== true);
    const late = list.findIndex(({ required }, index) => required === true && index > optional);
    if (optional === -1 || late === -1) return undefined;
    const message = `The required argument ${quoted(list[late]?.name ?? '')} comes after an optional one. Clients that ask in order ask for it late: move it up.`;
    return { pointer: `/arguments/${late}`, message };
  },
});

const duplicates: LintRule = {
  id: 'prompt-argument-duplicate',
  severity: 'error',
  about: 'Arguments of a prompt have different names.',
  *check({ catalog }) {
    for (const { name, arguments: list = [] } of catalog.prompts) {
      const seen = new Set<string>();
      for (const [index, argument] of list.entries()) {
        if (seen.has(argument.name))
          yield {
            place: placeOf(name),
            pointer: `/arguments/${index}/name`,
            message: `Two arguments are named ${quoted(argument.name)}. Rename one.`,
          };
        seen.add(argument.name);
      }
    }
  },
};

/** Rules about prompts. */
export const promptRules: readonly LintRule[] = [descriptions, order, duplicates];
