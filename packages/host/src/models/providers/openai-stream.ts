import { isRecord } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { InvalidReply, type ReplyAssembler } from './wire-format.js';

interface CallParts {
  readonly index: unknown;
  id: unknown;
  name: string;
  args: string;
}

const mostCalls = 1_000;

/** Puts chunks together. https://platform.openai.com/docs/api-reference/chat-streaming */
export function openAiAssembler(onText: (text: string) => void): ReplyAssembler {
  const calls: CallParts[] = [];
  let [content, refusal] = ['', ''];
  let finish: unknown;
  let usage: unknown;
  let model: unknown;
  const addText = (text: unknown): string => {
    if (typeof text !== 'string' || text === '') return '';
    onText(text);
    return text;
  };
  return {
    add(chunk) {
      usage = isRecord(chunk.usage) ? chunk.usage : usage;
      model ??= chunk.model;
      const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
      if (!isRecord(choice)) return;
      finish = choice.finish_reason ?? finish;
      if (!isRecord(choice.delta)) return;
      content += addText(choice.delta.content);
      refusal += addText(choice.delta.refusal);
      const parts: readonly unknown[] = Array.isArray(choice.delta.tool_calls) ? choice.delta.tool_calls : [];
      for (const part of parts) if (isRecord(part)) addCall(calls, part);
    },
    message() {
      if (typeof finish !== 'string') return undefined;
      const made = calls.map(({ id, name, args }) => ({ id, function: { name, arguments: args } }));
      const message = { content, refusal, tool_calls: made };
      return { choices: [{ message, finish_reason: finish }], usage, model };
    },
  };
}

/** A part belongs to the call with its index. Some endpoints leave the index out, or repeat it: another id is another call then. */
function addCall(calls: CallParts[], part: UnknownObject): void {
  const { name, arguments: args } = isRecord(part.function) ? part.function : {};
  const isSame = (call: CallParts) =>
    call.index === part.index && (!part.id || !call.id || call.id === part.id);
  let call = [...calls].reverse().find(isSame);
  if (call === undefined) {
    if (calls.length >= mostCalls) throw new InvalidReply(`more than ${mostCalls} tool calls in a reply`);
    call = { index: part.index, id: part.id, name: '', args: '' };
    calls.push(call);
  }
  call.id ||= part.id;
  if (typeof name === 'string') call.name ||= name;
  if (typeof args === 'string') call.args += args;
  else if (isRecord(args)) call.args = JSON.stringify(args);
}
