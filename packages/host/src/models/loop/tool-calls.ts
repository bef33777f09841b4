import { unlessAborted } from '@tenon/foundation';
import { mostCalls, tooManyCalls } from '../formats/tool-calls.js';
import type { ToolCallBlock, ToolResultBlock } from '../model.js';
import type { ModelToolCall } from '../model-tool.js';
import { errorResult } from './transcript.js';

/** The result of one call, without the type of its block. */
export type RunResult = Omit<ToolResultBlock, 'type'>;

/** The circumstances of the calls of one reply. */
export interface RunContext {
  /** Aborts when the results are no longer needed. */
  readonly signal: AbortSignal;
  /** The number of the reply, from 1. */
  readonly turn: number;
  /** Reports a result early: it is shown at once, and kept if the conversation is cancelled. The returned list may repeat it. */
  readonly onResult: (result: RunResult) => void;
}

/**
 * Runs the calls of a reply. Returns a result for each, in any order. Never throws: errors, unknown tools and refusals are results for the
 * model, with `isError`.
 */
export type ToolRunner = (
  calls: readonly ModelToolCall[],
  context: RunContext,
) => Promise<readonly RunResult[]>;

interface CallRun {
  readonly turn: number;
  readonly signal: AbortSignal;
  readonly onResult: (call: ToolCallBlock, result: ToolResultBlock) => void;
}

/** Runs calls. Returns one result for each, in their order, also if they are cancelled, and the error of a runner that throws. */
export async function runCalls(
  calls: readonly ToolCallBlock[],
  run: ToolRunner,
  { turn, signal, onResult }: CallRun,
): Promise<{
  readonly results: readonly ToolResultBlock[];
  readonly failure: { error: unknown } | undefined;
}> {
  const results = new Map<ToolCallBlock, ToolResultBlock>();
  let isOpen = true;
  const settle = (call: ToolCallBlock | undefined, { id, content, isError }: RunResult) => {
    if (call === undefined || results.has(call) || !isOpen) return;
    const result: ToolResultBlock = { type: 'tool_result', id, content, ...(isError && { isError }) };
    results.set(call, result);
    onResult(call, result);
  };
  const runnable: ToolCallBlock[] = [];
  for (const call of calls) {
    if (call.problem !== undefined) settle(call, errorResult(call.id, call.problem));
    else if (runnable.length >= mostCalls) settle(call, errorResult(call.id, tooManyCalls));
    else runnable.push(call);
  }
  const accept = (result: RunResult) =>
    settle(
      runnable.find(({ id }) => id === result.id),
      result,
    );
  let failure: { error: unknown } | undefined;
  try {
    const work = async () => run(runnable, { signal, turn, onResult: accept });
    if (runnable.length > 0) for (const result of await unlessAborted(work(), signal)) accept(result);
  } catch (error) {
    failure = signal.aborted ? undefined : { error };
  }
  const missing = signal.aborted ? cancelled : failed;
  for (const call of calls) settle(call, errorResult(call.id, missing));
  isOpen = false;
  return { results: calls.flatMap((call) => results.get(call) ?? []), failure };
}

const cancelled = 'The call was cancelled. The tool may have run, or a part of it.';
const failed = 'The call has no result: the host failed. The tool may have run, or a part of it.';
