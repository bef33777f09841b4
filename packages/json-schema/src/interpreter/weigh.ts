import { OutOfSteps } from '@tenon/json-schema';
import type { UnknownObject } from '@tenon/json-schema/structure';
import { compileDocument, type Vocabulary, vocabulary } from './compile.js';
import { type Keyword, listOf, nodesOf, type SchemaDialect } from './keyword.js';
import type { Node, Run } from './run.js';
import { type Budget, TooManyProblems, Weighing } from './weighing.js';

/** Values listed by an `enum` that make its problem text as large as another problem. */
const choicesPerProblem = 64;

/** How a schema is read, and how much work a value may be for a schema library. */
export interface WeighOptions extends Budget {
  readonly dialect: SchemaDialect;
}

/** What a value is for a library: no great work, too many steps, or too many problems to report. */
export type Verdict = 'light' | 'steps' | 'problems';

/**
 * Foretells how much work a value is for the schema library that a JSON Schema was made by: libraries try every place of
 * a value and report every problem. Whether the value fits is left to the library.
 * @throws TypeError for a schema that cannot be read.
 */
export function weigh(
  schema: UnknownObject,
  { dialect, ...budget }: WeighOptions,
): (value: unknown) => Verdict {
  const node = compileDocument(schema, { dialect, keywords: weighingKeywords, trusted: true });
  return (value) => {
    try {
      node(value, new Weighing(budget), undefined);
      return 'light';
    } catch (error) {
      if (error instanceof OutOfSteps) return 'steps';
      if (error instanceof TooManyProblems) return 'problems';
      throw error;
    }
  };
}

/** The keywords of this file are walked by no other. */
function weighing(run: Run): Weighing {
  return run as Weighing;
}

/** Patterns that come with a format are the library's own, and take time in proportion to a text. */
const pattern: Keyword = (value, place) => {
  if (typeof value !== 'string') return undefined;
  const bounded = place.schema.format === undefined ? place.pattern(value) : undefined;
  const expression = new RegExp(value, 'u');
  const message = 'must match the pattern';
  return (given, run) => {
    if (typeof given !== 'string') return true;
    if (bounded !== undefined) return bounded.test(given, (steps) => run.spend(steps)) || run.fail(message);
    run.spend(given.length >> 4);
    return expression.test(given) || run.fail(message);
  };
};

/** What a text means, where no pattern says it. */
const meaning: Keyword = (value, { schema }) => {
  if (schema.pattern !== undefined) return undefined;
  if (value === 'uri')
    return (given, run) => {
      if (typeof given !== 'string') return true;
      run.spend(given.length >> 4);
      return isUrl(given) || run.fail('must be a URL');
    };
  return (given, run) => {
    if (typeof given === 'string') weighing(run).doubt();
    return true;
  };
};

/** Each branch of an `anyOf` reports its problems; of a `oneOf`, libraries choose a branch by a property. */
function union(keyword: 'anyOf' | 'oneOf'): Keyword {
  return (value, place) => {
    const branches = nodesOf(value, place, keyword);
    const factor = keyword === 'anyOf' ? branches.length : 1;
    return (given, run) => weighing(run).fitsOne(branches, given, factor) || run.fail('must match a branch');
  };
}

/** What a reference leads to, once for each value where branches are tried. */
function reference(standard: Keyword): Keyword {
  return (value, place) => {
    const target = standard(value, place);
    return target && ((given, run) => weighing(run).refer(target, given));
  };
}

function choice(standard: Keyword): Keyword {
  return (value, place) => {
    const check = standard(value, place);
    const more = Math.floor(listOf(value, place, 'enum').length / choicesPerProblem);
    return check && reporting(check, more);
  };
}

function reporting(check: Node, more: number): Node {
  return (given, run, seen) => {
    if (check(given, run, seen)) return true;
    run.problem(more);
    return false;
  };
}

function weighed(name: string, standard: Keyword): Keyword {
  if (name === 'pattern') return pattern;
  if (name === 'anyOf' || name === 'oneOf') return union(name);
  if (name === 'enum') return choice(standard);
  return name === '$ref' ? reference(standard) : standard;
}

const weighingKeywords: Vocabulary = [
  ...vocabulary.map(([name, keyword]) => [name, weighed(name, keyword)] as const),
  ['format', meaning],
  ['contentEncoding', meaning],
  ['contentMediaType', meaning],
];

// Not `URL.canParse`: once optimized, Node 20's refuses addresses with characters such as "ä".
function isUrl(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}
