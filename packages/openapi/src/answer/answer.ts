import { jsonIn, printableText, textIn, toBase64 } from '@tenon/foundation';
import type { SafeResponse } from '@tenon/mcp-auth/server';
import type { CallToolResult, ContentBlock, ValueIssue } from '@tenon/mcp-server';
import { urlOf } from '../document/texts.js';
import type { ApiRequest } from '../request/request.js';
import { shortened } from './shortened.js';

/** The rules for the result of a call. */
export interface AnswerRules {
  /** The most characters of a result. */
  readonly characters: number;
  /** Returns the problems of a structured output; undefined for a tool without one. */
  readonly check: ((value: unknown) => readonly ValueIssue[] | undefined) | undefined;
  /** The arguments by the names of their query parameters. */
  readonly queryArguments: ReadonlyMap<string, string>;
  /** Credentials of the request, which no text repeats. */
  readonly secrets: readonly string[];
}

const errorCharacters = 2_000;
/** Bytes of a file that a result contains. */
const fileBytes = 1_048_576;

/** Returns the result of a call for the response of the API. */
export function answerOf(request: ApiRequest, response: SafeResponse, rules: AnswerRules): CallToolResult {
  const { status } = response;
  if (status < 200 || status > 299) return failure(failureText(request, response, rules.secrets));
  const next = nextPage(request, response, rules.queryArguments);
  if (rules.check !== undefined)
    return structuredAnswer(request, response, { ...rules, check: rules.check, next });
  const { bytes, mediaType } = response;
  if (bytes.length === 0) return { content: notes(`${done(request, status)} The response has no content.`) };
  if (/[/+]json$/.test(mediaType)) {
    const value = jsonIn(response.text);
    if (value !== undefined) return jsonAnswer(response, value, { ...rules, next });
  }
  return { content: [...contentOf(response, rules.characters, request.url), ...notes(next)] };
}

function structuredAnswer(
  request: ApiRequest,
  response: SafeResponse,
  rules: AnswerRules & {
    readonly check: NonNullable<AnswerRules['check']>;
    readonly next: string | undefined;
  },
): CallToolResult {
  const { status, text } = response;
  const value = jsonIn(text);
  const [issue] =
    value === undefined ? [{ path: [], message: 'it is not JSON' }] : (rules.check(value) ?? []);
  if (issue === undefined) {
    const { content, value: cut } = jsonAnswer(response, value, rules);
    return cut === undefined ? failure(content) : { content, structuredContent: cut };
  }
  const at = issue.path.map(String).join('.');
  const problem = printableText(`${at === '' ? '' : `${at}: `}${issue.message}`).slice(0, 300);
  return failure([
    ...notes(
      `${done(request, status)} The answer is not as the document of the API says (${problem}). The request was carried out: do not repeat it.`,
    ),
    ...contentOf(response, rules.characters, request.url),
  ]);
}

/** A result with its value, which is undefined if it is too long at any length of its lists. */
function jsonAnswer(
  response: SafeResponse,
  value: unknown,
  { characters, next }: Pick<AnswerRules, 'characters'> & { readonly next: string | undefined },
): { readonly content: readonly ContentBlock[]; readonly value?: unknown } {
  // A number with so many digits may be another number once it is parsed.
  const text = /\d{16}/.test(response.text) ? response.text : JSON.stringify(value);
  if (text.length <= characters) return { content: [textBlock(text), ...notes(next)], value };
  const shorter = shortened(value, characters);
  if (shorter === undefined)
    return {
      content: [
        textBlock(text.slice(0, characters)),
        ...notes(`The answer was cut after ${characters} of ${text.length} characters. ${askForLess}`, next),
      ],
    };
  const missing = `The answer had ${text.length} characters. Missing: ${shorter.missing.join('; ')}. ${askForLess}`;
  return {
    content: [textBlock(JSON.stringify(shorter.value)), ...notes(missing, next)],
    value: shorter.value,
  };
}

const askForLess = 'Ask for less with the arguments of the tool, such as a filter or a smaller page.';

function contentOf(
  { bytes, mediaType, text }: SafeResponse,
  most: number,
  url: URL,
): readonly ContentBlock[] {
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream';
  if (type.startsWith('image/') || type.startsWith('audio/'))
    if (bytes.length <= fileBytes && type !== 'image/svg+xml')
      return [{ type: type.startsWith('image/') ? 'image' : 'audio', data: toBase64(bytes), mimeType: type }];
  if (textIn(bytes) !== undefined) {
    if (text.length <= most) return [textBlock(text)];
    return [
      textBlock(text.slice(0, most)),
      ...notes(`The answer was cut after ${most} of ${text.length} characters. ${askForLess}`),
    ];
  }
  const about = notes(`The answer is a file of ${bytes.length} bytes of the type ${type}.`);
  if (bytes.length > fileBytes) return [...about, ...notes('It is too large for a result.')];
  const uri = `${url.origin}${url.pathname}`;
  return [...about, { type: 'resource', resource: { uri, mimeType: type, blob: toBase64(bytes) } }];
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text };
}

function notes(...texts: readonly (string | undefined)[]): ContentBlock[] {
  return texts.flatMap((text) => (text === undefined ? [] : [textBlock(text)]));
}

function failure(content: string | readonly ContentBlock[]): CallToolResult {
  return { content: typeof content === 'string' ? notes(content) : content, isError: true } as CallToolResult;
}

function done({ method, url }: ApiRequest, status: number): string {
  return `${method} ${url.pathname} was answered with HTTP ${status}.`;
}

const advice: Readonly<Record<number, string>> = {
  400: 'Correct the arguments before you call again.',
  401: 'The credentials for this API are missing or no longer valid. Tell the user; the same call fails again.',
  403: 'These credentials do not permit this. Tell the user; the same call fails again.',
  404: 'There is nothing with these arguments: check ids and names.',
  405: 'The API does not have this operation.',
  409: 'It conflicts with the present state: read that state before you call again.',
  410: 'It is gone for good.',
  413: 'Send less at once.',
  415: 'The API does not accept this type of content.',
  422: 'Correct the arguments before you call again.',
  429: 'Too many requests: wait before you call again.',
};

function failureText(request: ApiRequest, response: SafeResponse, secrets: readonly string[]): string {
  const { status, text, header, mediaType } = response;
  const isText = textIn(response.bytes) !== undefined && mediaType !== 'text/html';
  const json = jsonIn(text);
  const message = isText ? printableText(json === undefined ? text.trim() : JSON.stringify(json)) : '';
  const shown = secrets.reduce(
    (all, secret) => (secret.length < 4 ? all : all.replaceAll(secret, '***')),
    message,
  );
  const said = shown === '' ? 'It said nothing more.' : `The API said: ${shown.slice(0, errorCharacters)}`;
  return [done(request, status), said, adviceOf(status, request.method, header('retry-after'))].join('\n');
}

function adviceOf(status: number, method: string, retryAfter: string | undefined): string {
  if (status >= 300 && status < 400)
    return 'The API sent the request to another address, which is not followed.';
  const wait = retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? ` Wait ${retryAfter} seconds.` : '';
  if (status < 500) return `${advice[status] ?? 'Correct the arguments before you call again.'}${wait}`;
  const again =
    method === 'GET' || method === 'QUERY'
      ? 'Call again later.'
      : 'Find out first whether the request was carried out: it may be.';
  return `The API failed; the arguments may be right. ${again}${wait}`;
}

/** Returns a sentence about the arguments of the next page, if a Link header names it. https://www.rfc-editor.org/rfc/rfc8288 */
function nextPage(
  { url }: ApiRequest,
  { header }: SafeResponse,
  names: ReadonlyMap<string, string>,
): string | undefined {
  const link = header('link')?.slice(0, 10_000) ?? '';
  const target = /<([^<>]*)>[^<]*;\s*rel="?next"?/i.exec(link)?.[1];
  const page = target === undefined ? undefined : urlOf(target, url);
  if (page === undefined) return undefined;
  const changed = [...page.searchParams].flatMap(([name, value]) => {
    const argument = names.get(name);
    return argument === undefined || url.searchParams.get(name) === value
      ? []
      : [`${argument}: ${JSON.stringify(value)}`];
  });
  if (changed.length === 0) return undefined;
  return printableText(`There is another page: call again with ${changed.join(', ')}.`).slice(0, 1_000);
}
