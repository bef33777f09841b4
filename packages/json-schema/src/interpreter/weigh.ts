import { OutOfSteps } from '@tenon/json-schema';
import type { UnknownObject } from '@tenon/json-schema/structure';
import { compileDocument, type Vocabulary, vocabulary } from './compile.js';
import { type Keyword, listOf, nodesOf, type SchemaDialect } from './keyword.js';
import type { Node, Run } from './run.js';
import { type Budget, TooManyProblems, Weighing } from './weighing.js';

/** The number of `enum` choices that make a problem text as long as another problem. */
const choicesPerProblem = 64;

/** The way a schema is read, and the limits of a library's work. */
export interface WeighOptions extends Budget {
  readonly dialect: SchemaDialect;
}

/** A library's work for a value: little, too many steps, or too many problems to report. */
export type Verdict = 'light' | 'steps' | 'problems';

/**
 * Returns a function that predicts the work of a schema library for a value, from the JSON Schema of the library's schema:
 * libraries check every place of a value and report every problem. It does not decide whether the value fits.
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

/** The keywords of this file are only checked by a {@link Weighing}. */
function weighing(run: Run): Weighing {
  return run as Weighing;
}

/** Patterns that belong to a format are the library's own, and take time in proportion to a text. */
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

/** Checks the format of a text if no pattern does. */
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

/** Each branch of an `anyOf` reports its problems. For a `oneOf`, libraries choose a branch by a property. */
function union(keyword: 'anyOf' | 'oneOf'): Keyword {
  return (value, place) => {
    const branches = nodesOf(value, place, keyword);
    const factor = keyword === 'anyOf' ? branches.length : 1;
    return (given, run) => weighing(run).fitsOne(branches, given, factor) || run.fail('must match a branch');
  };
}

/** Checks a reference target, once per value inside of branches. */
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

// Not `URL.canParse`: once optimized, that of Node 20 rejects addresses with characters such as "ä".
function isUrl(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}
