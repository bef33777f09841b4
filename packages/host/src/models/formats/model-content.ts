import { requireOptions } from '@tenon/foundation';
import { canonicalText } from '@tenon/json-schema/equality';
import type {
  AudioContent,
  CallToolResult,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
} from '@tenon/mcp-protocol';
import { type ModelFormat, requireFormat } from './model-format.js';
import { beginning, visibleLine, visibleText } from './text/visible-text.js';

/** Options of {@link toModelContent}. */
export interface ModelContentOptions {
  readonly for: ModelFormat;
  /** The most characters of text, in UTF-16 code units, over all parts. Default: 100,000, about 25,000 tokens. Lower it for a model with a small context. */
  readonly maxChars?: number;
  /** False for a model that reads no images: a sentence takes their place. Default: true, where results of the format hold images. */
  readonly images?: boolean;
  /** True for a model that hears. Only results of `ai-sdk` hold audio. Default: false. */
  readonly audio?: boolean;
  /**
   * Called with the whole text if it is longer than `maxChars`. Returns the URI under which the model can read it; the sentence about
   * the missing part names it.
   */
  readonly rest?: (full: string) => string | undefined;
}

/** The result of a tool for a model. */
export interface ResultContent {
  /** At least one part. Images and audio are base64. */
  readonly content: readonly (TextContent | ImageContent | AudioContent)[];
  /** True for a failure that the model can read and act on. */
  readonly isError?: true;
}

type Part = ResultContent['content'][number];

const defaultCharacters = 100_000;

const rules = {
  maxChars: {
    is: 'a number, 1 or more',
    allows: (value: unknown) => typeof value === 'number' && value >= 1,
  },
};

/** @throws TypeError for an unknown format; TypeError or RangeError if `maxChars` is not a number of at least 1. */
export function requireContentOptions(
  owner: string,
  { for: format, maxChars }: Pick<ModelContentOptions, 'for'> & { readonly maxChars?: number | undefined },
): void {
  requireFormat(owner, format);
  requireOptions(owner, { maxChars }, rules);
}

const webImages = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The types of images and audio that results of each format hold. */
const media: {
  readonly [Format in ModelFormat]: { readonly image: readonly string[]; readonly audio: readonly string[] };
} = {
  // `Base64ImageSource` of `@anthropic-ai/sdk`.
  anthropic: { image: webImages, audio: [] },
  // `ChatCompletionToolMessageParam` of `openai` 6.49: text only.
  openai: { image: [], audio: [] },
  // `ResponseFunctionCallOutputItemList` of `openai` 6.49: text, images and files.
  'openai-responses': { image: webImages, audio: [] },
  // https://ai.google.dev/gemini-api/docs/function-calling#multimodal: from Gemini 3 on.
  gemini: { image: ['image/png', 'image/jpeg', 'image/webp'], audio: [] },
  'ai-sdk': {
    image: webImages,
    audio: [
      'audio/wav',
      'audio/x-wav',
      'audio/mpeg',
      'audio/mp3',
      'audio/ogg',
      'audio/flac',
      'audio/aac',
      'audio/webm',
    ],
  },
};

/** The most base64 characters of one image or sound, which is what Anthropic allows, and of all in one result. */
const mediaBounds = { one: 5_000_000, all: 20_000_000, count: 20 } as const;

/**
 * Returns the content of a result as a model may read it. Text has no hidden characters and is cut at `maxChars`. Images and audio are kept
 * where the format has them, and are sentences elsewhere. Links and embedded resources are text. Structured content is JSON, unless the
 * text has it already. Parts for the user alone are left out.
 * @throws TypeError for an unknown format; TypeError or RangeError if `maxChars` is not a number of at least 1.
 */
export function toModelContent(result: CallToolResult, options: ModelContentOptions): ResultContent {
  requireContentOptions('toModelContent', options);
  const { maxChars = defaultCharacters } = options;
  const shown = result.content.filter(isForModel);
  // Errors of these formats hold text only (https://github.com/vellum-ai/vellum-assistant/pull/18387).
  const isTextOnly = result.isError === true && ['anthropic', 'ai-sdk'].includes(options.for);
  const allowed = new Media(isTextOnly ? { ...options, images: false, audio: false } : options);
  const parts = shown.map((block) => partOf(block, allowed));
  const structured = structuredText(result, shown);
  if (structured !== undefined) parts.push({ type: 'text', text: visibleText(structured) });
  if (parts.length === 0) parts.push({ type: 'text', text: emptyText(result) });
  return {
    content: trimmed(parts, maxChars, options.rest),
    ...(result.isError === true && { isError: true as const }),
  };
}

function isForModel({ annotations }: ContentBlock): boolean {
  const audience = annotations?.audience;
  return !Array.isArray(audience) || audience.length === 0 || audience.includes('assistant');
}

function emptyText({ content, isError }: CallToolResult): string {
  if (isError === true) return 'The tool failed without a message.';
  return content.length === 0
    ? 'The tool is done. It has no output.'
    : 'The tool is done. Its output is for the user only.';
}

function partOf(block: ContentBlock, allowed: Media): Part {
  const part = readableBlock(block);
  return part.type === 'text' ? part : allowed.part(part);
}

/** Returns a block of a server as a model may read it: links and resources as text, and text without hidden characters. Images and audio stay as they are. */
export function readableBlock(block: ContentBlock): Part {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: visibleText(block.text) };
    case 'image':
    case 'audio':
      return block;
    case 'resource_link':
      return { type: 'text', text: linkText(block) };
    case 'resource':
      return { type: 'text', text: resourceText(block) };
    default:
      // A block of a later revision.
      return {
        type: 'text',
        text: `[Content of an unknown type: ${visibleLine(String((block as ContentBlock).type), 50)}]`,
      };
  }
}

function linkText({ uri, name, title, description, mimeType, size }: ResourceLink): string {
  const about = [
    visibleLine(title ?? name, 200),
    ...(description === undefined ? [] : [visibleLine(description, 1_000)]),
    ...(mimeType === undefined ? [] : [visibleLine(mimeType, 100)]),
    ...(size === undefined ? [] : [`${size} bytes`]),
  ];
  return `[Resource ${visibleLine(uri, 2_000)}: ${about.filter(Boolean).join(', ')}]`;
}

function resourceText({ resource }: EmbeddedResource): string {
  const uri = visibleLine(resource.uri, 2_000);
  if ('text' in resource) return `[Resource ${uri}]\n${visibleText(resource.text)}`;
  const type = visibleLine(resource.mimeType ?? 'unknown type', 100);
  return `[Resource ${uri}: binary data (${type}, ${bytesOf(resource.blob)} bytes), not shown]`;
}

function bytesOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

/** Admits images and audio while they are within the bounds. */
class Media {
  readonly #types: ReadonlySet<string>;
  #characters = 0;
  #count = 0;

  constructor({ for: format, images = true, audio = false }: ModelContentOptions) {
    const types = media[format];
    this.#types = new Set([...(images ? types.image : []), ...(audio ? types.audio : [])]);
  }

  part({ type, data, mimeType }: ImageContent | AudioContent): Part {
    const known = mimeType.toLowerCase().split(';')[0]?.trim() ?? '';
    const why = this.#refusal(known, data);
    if (why === undefined) {
      this.#characters += data.length;
      this.#count += 1;
      return { type, data, mimeType: known };
    }
    const name = type === 'image' ? 'Image' : 'Audio';
    return {
      type: 'text',
      text: `[${name} (${visibleLine(mimeType, 100)}, ${bytesOf(data)} bytes), not shown: ${why}]`,
    };
  }

  #refusal(mimeType: string, data: string): string | undefined {
    if (!this.#types.has(mimeType)) return 'the model cannot read it here';
    if (data.length > mediaBounds.one) return 'it is too large';
    if (this.#count >= mediaBounds.count || this.#characters + data.length > mediaBounds.all)
      return 'the result has too many';
    return data === '' || /[^A-Za-z0-9+/=]/.test(data) ? 'its data is not base64' : undefined;
  }
}

/** Returns the structured content as JSON; undefined if there is none, or a text block has the same value. */
function structuredText(
  { structuredContent }: CallToolResult,
  shown: readonly ContentBlock[],
): string | undefined {
  if (structuredContent === undefined || structuredContent === null) return undefined;
  const text = JSON.stringify(structuredContent);
  const similar = shown.flatMap((block) =>
    block.type === 'text' && block.text.trimStart()[0] === text[0] ? [block.text] : [],
  );
  // Most servers write the same text, or none of JSON: only others are compared by value.
  if (similar.includes(text)) return undefined;
  if (similar.length === 0) return text;
  const wanted = canonicalText(structuredContent, () => {});
  return similar.some((one) => isJsonOf(one, wanted)) ? undefined : text;
}

function isJsonOf(text: string, wanted: string): boolean {
  try {
    return canonicalText(JSON.parse(text), () => {}) === wanted;
  } catch {
    // It is not JSON, or nested too deeply.
    return false;
  }
}

/** Cuts the text of all parts to a number of characters, the sentence about the missing part included. */
function trimmed(parts: readonly Part[], most: number, rest: ModelContentOptions['rest']): readonly Part[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  if (total <= most) return parts;
  const uri = rest?.(texts.join('\n\n'));
  // The number of missing characters is not known yet; it has at most as many digits as the total.
  const room = Math.max(0, most - missingText(total, total, uri).length);
  let left = room;
  const kept = parts.flatMap((part): Part[] => {
    if (part.type !== 'text') return [part];
    const text = beginning(part.text, left);
    left -= text.length;
    if (text.length < part.text.length) left = 0;
    return text === '' ? [] : [{ type: 'text', text }];
  });
  const length = kept.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
  return [...kept, { type: 'text', text: missingText(total - length, total, uri) }];
}

function missingText(missing: number, total: number, uri: string | undefined): string {
  const rest =
    uri === undefined
      ? 'Call the tool again for less, such as a part of the result.'
      : `The whole text is the resource ${uri}: read it for the rest.`;
  return `[${missing} of ${total} characters are missing here. ${rest}]`;
}
