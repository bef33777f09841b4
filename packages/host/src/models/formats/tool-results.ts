import type { TextContent } from '@tenon/mcp-protocol';
import type { ResultContent } from './model-content.js';
import { type ModelFormat, requireFormat } from './model-format.js';
import { isMadeId } from './tool-calls.js';

/** The result of one call, for the model that made the call. */
export interface ModelToolResult {
  /** The id of the call. */
  readonly id: string;
  /** The name that the model called. */
  readonly name: string;
  /** The content, as {@link toModelContent} returns it for the format. */
  readonly content: ResultContent['content'];
  readonly isError?: boolean;
}

interface AnthropicImage {
  type: 'image';
  source: {
    type: 'base64';
    media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
    data: string;
  };
}

interface AnthropicResults {
  role: 'user';
  content: {
    type: 'tool_result';
    tool_use_id: string;
    content: ({ type: 'text'; text: string } | AnthropicImage)[];
    is_error?: true;
  }[];
}

interface OpenAiResult {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

interface OpenAiImage {
  type: 'input_image';
  image_url: string;
  detail: 'auto';
}

interface OpenAiResponsesResult {
  type: 'function_call_output';
  call_id: string;
  output: string | ({ type: 'input_text'; text: string } | OpenAiImage)[];
}

interface GeminiResult {
  functionResponse: {
    id?: string;
    name: string;
    response: Record<string, string>;
    parts?: { inlineData: { mimeType: string; data: string } }[];
  };
}

interface GeminiResults {
  role: 'user';
  parts: GeminiResult[];
}

interface AiSdkMedia {
  type: 'image-data' | 'file-data';
  data: string;
  mediaType: string;
}

type AiSdkOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'content'; value: ({ type: 'text'; text: string } | AiSdkMedia)[] };

interface AiSdkResults {
  role: 'tool';
  content: { type: 'tool-result'; toolCallId: string; toolName: string; output: AiSdkOutput }[];
}

/** The messages or items of each format with the results of calls. */
export interface FormattedResults {
  readonly anthropic: AnthropicResults[];
  readonly openai: OpenAiResult[];
  readonly 'openai-responses': OpenAiResponsesResult[];
  readonly gemini: GeminiResults[];
  readonly 'ai-sdk': AiSdkResults[];
}

/**
 * Returns the results of all calls of one reply as messages of a format, in their order: one message of the user for Anthropic and Gemini,
 * one message of the role `tool` for each in Chat Completions, one item for each in Responses, one message of the role `tool` for the AI SDK.
 * Where the format has no flag for errors, the text begins with "Error: ". Parts that a format does not have are left out.
 * @throws TypeError for an unknown format.
 */
export function toolResults<Format extends ModelFormat>(
  results: readonly ModelToolResult[],
  options: { readonly for: Format },
): FormattedResults[Format] {
  const format: ModelFormat = options.for;
  requireFormat('toolResults', format);
  return (results.length === 0 ? [] : writers[format](results)) as FormattedResults[Format];
}

const writers: {
  readonly [Format in ModelFormat]: (results: readonly ModelToolResult[]) => FormattedResults[Format];
} = {
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls: results stand first in the message.
  anthropic: (results) => [
    {
      role: 'user',
      content: results.map(({ id, content, isError }) => ({
        type: 'tool_result',
        tool_use_id: id,
        // Beside the flag for errors, anything but text is rejected.
        content: (isError === true ? content.filter(isText) : content).flatMap(anthropicPart),
        ...(isError === true && { is_error: true }),
      })),
    },
  ],
  openai: (results) =>
    results.map((result) => ({ role: 'tool', tool_call_id: result.id, content: markedText(result) })),
  'openai-responses': (results) =>
    results.map((result) => ({
      type: 'function_call_output',
      call_id: result.id,
      output: responsesOutput(result),
    })),
  gemini: (results) => [{ role: 'user', parts: results.map(geminiPart) }],
  'ai-sdk': (results) => [
    {
      role: 'tool',
      content: results.map((result) => ({
        type: 'tool-result',
        toolCallId: result.id,
        toolName: result.name,
        output: aiSdkOutput(result),
      })),
    },
  ],
};

type Part = ResultContent['content'][number];

function isText(part: Part): part is TextContent {
  return part.type === 'text';
}

function textOf({ content }: ModelToolResult): string {
  return content
    .filter(isText)
    .map(({ text }) => text)
    .join('\n\n');
}

function markedText(result: ModelToolResult): string {
  const text = textOf(result);
  return result.isError === true ? `Error: ${text}` : text;
}

function anthropicPart(part: Part): AnthropicResults['content'][number]['content'] {
  // An empty text is rejected.
  if (isText(part)) return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  if (part.type === 'audio') return [];
  const media_type = part.mimeType as AnthropicImage['source']['media_type'];
  return [{ type: 'image', source: { type: 'base64', media_type, data: part.data } }];
}

function responsesOutput(result: ModelToolResult): OpenAiResponsesResult['output'] {
  const { content, isError } = result;
  if (content.every(isText)) return markedText(result);
  const parts = content.flatMap((part): Exclude<OpenAiResponsesResult['output'], string> => {
    if (isText(part)) return [{ type: 'input_text', text: part.text }];
    return part.type === 'image'
      ? [{ type: 'input_image', image_url: `data:${part.mimeType};base64,${part.data}`, detail: 'auto' }]
      : [];
  });
  return isError === true ? [{ type: 'input_text', text: 'Error:' }, ...parts] : parts;
}

function geminiPart(result: ModelToolResult): GeminiResult {
  const { id, name, content, isError } = result;
  const parts = content.flatMap((part) =>
    isText(part) ? [] : [{ inlineData: { mimeType: part.mimeType, data: part.data } }],
  );
  return {
    functionResponse: {
      ...(!isMadeId(id) && { id }),
      name,
      // "Use "output" key to specify function output and "error" key to specify error details": `FunctionResponse` of `@google/genai`.
      response: { [isError === true ? 'error' : 'output']: textOf(result) },
      ...(parts.length > 0 && { parts }),
    },
  };
}

/** `ToolResultOutput` of `@ai-sdk/provider-utils`, in versions 6 and 7 of the AI SDK. */
function aiSdkOutput(result: ModelToolResult): AiSdkOutput {
  const { content, isError } = result;
  if (isError === true) return { type: 'error-text', value: textOf(result) };
  if (content.every(isText)) return { type: 'text', value: textOf(result) };
  return {
    type: 'content',
    value: content.map((part) =>
      isText(part)
        ? { type: 'text', text: part.text }
        : {
            type: part.type === 'image' ? 'image-data' : 'file-data',
            data: part.data,
            mediaType: part.mimeType,
          },
    ),
  };
}
