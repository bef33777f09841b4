/** One variable of an expression, as `{name:3}` or `{name*}` has it. */
export interface VariableSpec {
  readonly name: string;
  readonly explode: boolean;
  /** The most characters of the value in the URI. */
  readonly length: number | undefined;
}

/** The text between two braces. */
export interface Expression {
  readonly operator: Operator;
  readonly variables: readonly VariableSpec[];
}

/** The format of an operator's variables; RFC 6570 appendix A. */
export interface Operator {
  /** Before the first value. */
  readonly first: string;
  /** Between values. */
  readonly separator: string;
  /** True if values are written as `name=value`. */
  readonly named: boolean;
  /** Characters that end a value. */
  readonly stops: string;
}

/** A literal text, or an expression. */
export type Part = string | Expression;

/** The limits of a template's length. */
export const templateLimits: { readonly length: number; readonly variables: number } = {
  length: 2_048,
  variables: 64,
};

const operators: ReadonlyMap<string, Operator> = new Map([
  ['', { first: '', separator: ',', named: false, stops: '/?#' }],
  ['+', { first: '', separator: ',', named: false, stops: '' }],
  ['#', { first: '#', separator: ',', named: false, stops: '' }],
  ['.', { first: '.', separator: '.', named: false, stops: '/?#' }],
  ['/', { first: '/', separator: '/', named: false, stops: '/?#' }],
  [';', { first: ';', separator: ';', named: true, stops: ';/?#' }],
  ['?', { first: '?', separator: '&', named: true, stops: '&#' }],
  ['&', { first: '&', separator: '&', named: true, stops: '&#' }],
]);

/**
 * Returns the template's parts in order.
 *
 * @throws TypeError if the template is broken; the message says what to change.
 */
export function parseParts(text: string): Part[] {
  const fail = failer(text);
  if (text.length > templateLimits.length)
    fail(`is longer than ${templateLimits.length} characters; shorten it`);
  const parts: Part[] = [];
  let count = 0;
  let from = 0;
  while (from < text.length) {
    const open = text.indexOf('{', from);
    const literal = text.slice(from, open < 0 ? text.length : open);
    if (literal !== '') parts.push(checkedLiteral(literal, fail));
    if (open < 0) break;
    const close = text.indexOf('}', open);
    if (close < 0) fail(`has a "{" at ${open} that is not closed; add "}"`);
    const expression = parseExpression(text.slice(open + 1, close), fail);
    count += expression.variables.length;
    if (count > templateLimits.variables)
      fail(`has more than ${templateLimits.variables} variables; use fewer`);
    parts.push(expression);
    from = close + 1;
  }
  return parts;
}

type Fail = (problem: string) => never;

function failer(text: string): Fail {
  return (problem) => {
    throw new TypeError(`The URI template ${JSON.stringify(text.slice(0, 200))} ${problem}.`);
  };
}

function checkedLiteral(literal: string, fail: Fail): string {
  if (literal.includes('}')) fail('has a "}" without a "{" before it; remove it or write "%7D"');
  const bad = unfitForUri(literal);
  if (bad !== undefined) fail(`has ${JSON.stringify(bad)} in its text; percent-encode it`);
  return literal;
}

function parseExpression(body: string, fail: Fail): Expression {
  const sign = /^[+#./;?&=,!@|]/.exec(body)?.[0] ?? '';
  const operator = operators.get(sign);
  if (operator === undefined) return fail(`uses the operator "${sign}", which is reserved; leave it out`);
  const variables = body
    .slice(sign.length)
    .split(',')
    .map((spec) => parseVariable(spec, fail));
  return { operator, variables };
}

function parseVariable(spec: string, fail: Fail): VariableSpec {
  const found = /^([\w.%]+)(?::([1-9]\d{0,3})|(\*))?$/.exec(spec);
  const name = found?.[1] ?? '';
  if (!/^(?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*$/.test(name))
    fail(
      `has the variable "{${spec}}"; a name is letters, digits, "_" and single dots, then "*" or ":" and a length ` +
        'from 1 to 9999, if any',
    );
  return {
    name,
    explode: found?.[3] !== undefined,
    length: found?.[2] === undefined ? undefined : Number(found[2]),
  };
}

/** Returns the first part of a text that is invalid in a URI, such as a space or a "%" without two digits; undefined if there is none. */
export function unfitForUri(text: string): string | undefined {
  return new RegExp(unfit, 'u').exec(text)?.[0];
}

// No literal with \p{Cc} and \p{Cs}: it would be compiled with the file, and looking up Unicode classes is slow.
const unfit = String.raw`[\s\u0000-\u001f\u007f-\u009f\ud800-\udfff"<>\\^\x60{|}]|%(?![0-9A-Fa-f]{2})`;
