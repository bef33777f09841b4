import { jsonIn } from '@tenon/foundation';
import { isObject } from '@tenon/mcp-protocol/internal';

/** A message between nodes: one with a kind, or the answer to one with a number. */
export interface ProcessMessage {
  readonly from: string;
  /** Absent in an answer. */
  readonly kind?: string | undefined;
  /** Number of a message that expects an answer. */
  readonly number?: number | undefined;
  /** Number of the message that this one answers. */
  readonly answers?: number | undefined;
  readonly body?: unknown;
  /** The failure of the handler. */
  readonly error?: string | undefined;
}

/** Returns a message of the bus; undefined if it has another shape, for other programs may write to the bus. */
export function readProcessMessage(text: string): ProcessMessage | undefined {
  const value = jsonIn(text);
  if (!isObject(value)) return undefined;
  const { from, kind, number, answers, error } = value;
  const isWhole =
    isProcessId(from) &&
    isOptional(kind, 'string') &&
    isOptional(number, 'number') &&
    isOptional(answers, 'number') &&
    isOptional(error, 'string') &&
    (kind === undefined) !== (answers === undefined);
  return isWhole ? (value as unknown as ProcessMessage) : undefined;
}

/** True for the id of a node: answers go to the topic of that name. */
export function isProcessId(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z2-7]{12}$/.test(value);
}

function isOptional(value: unknown, type: 'string' | 'number'): boolean {
  return value === undefined || typeof value === type;
}
