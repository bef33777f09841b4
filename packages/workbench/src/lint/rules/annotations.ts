import { type LintRule, quoted, toolRule } from './rule.js';

const missing = toolRule({
  id: 'annotations-missing',
  severity: 'warning',
  about: 'Tools say whether they change anything: `readOnlyHint`, or `destructiveHint`.',
  pointer: '/annotations',
  problem({ tool }) {
    const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
    if (readOnlyHint !== undefined || destructiveHint !== undefined) return undefined;
    return 'Without annotations clients take the tool for destructive and ask before each call. Add "readOnlyHint": true, or "destructiveHint".';
  },
});

const contradiction = toolRule({
  id: 'annotations-contradiction',
  severity: 'error',
  about: 'A tool with `readOnlyHint` has no `destructiveHint`.',
  pointer: '/annotations/destructiveHint',
  problem({ tool }) {
    const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
    if (readOnlyHint !== true || destructiveHint !== true) return undefined;
    return 'A tool cannot be read-only and destructive. Remove one of the two hints.';
  },
});

const changing =
  'add append archive assign cancel clear close commit create delete deploy destroy disable drop edit enable erase ' +
  'grant insert install kill merge move overwrite patch post publish purge push put remove rename replace reset restart ' +
  'revoke rollback send set shutdown stop terminate truncate uninstall update upload upsert wipe write';
const changingVerbs = new Set(changing.split(' '));
const readingVerbs = new Set(
  'browse check count describe fetch find get inspect list lookup peek query read search show view'.split(
    ' ',
  ),
);

const nameContradiction = toolRule({
  id: 'annotations-name',
  severity: 'warning',
  about: 'The annotations of a tool fit the verb in its name.',
  problem({ tool }, _, { catalog }) {
    const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
    const verb = firstWord(tool.name, catalog.server?.name ?? '');
    if (readOnlyHint === true && changingVerbs.has(verb))
      return {
        pointer: '/annotations/readOnlyHint',
        message: `The name says ${quoted(verb)}, but "readOnlyHint" is true, so clients call it without asking. Correct the hint or the name.`,
      };
    if (destructiveHint !== true || !readingVerbs.has(verb)) return undefined;
    return {
      pointer: '/annotations/destructiveHint',
      message: `The name says ${quoted(verb)}, but "destructiveHint" is true, so clients ask before each call. Correct the hint or the name.`,
    };
  },
});

/** Returns the first word of a name in lower case, without the name of the server before it. */
function firstWord(name: string, server: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const [first = '', second] = words;
  return second !== undefined &&
    server
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .includes(first)
    ? second
    : first;
}

/** Rules about the annotations of tools. */
export const annotationRules: readonly LintRule[] = [missing, contradiction, nameContradiction];
