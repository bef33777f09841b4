import type { ListSnapshot } from './lists/list-snapshot.js';

/** An error of the child, as text. */
export interface ErrorReport {
  readonly message: string;
  /** With the message; places are those of the source files. */
  readonly stack: string;
}

/** The methods of the state that are called over the channel as they are. */
export const stateMethods: Readonly<Record<'kv' | 'log' | 'bus', readonly string[]>> = {
  kv: ['get', 'put', 'compareAndSet', 'touch', 'delete'],
  log: ['append', 'read', 'trim', 'touch', 'delete'],
  bus: ['publish'],
};

/** A message of the child to its supervisor. */
export type ChildMessage =
  /** A call of the state, such as `kv.get`. */
  | {
      readonly type: 'state';
      readonly id: number;
      readonly method: string;
      readonly args: readonly unknown[];
    }
  /** Files that the server has loaded. */
  | { readonly type: 'loaded'; readonly urls: readonly string[] }
  /** The server runs. `url` is absent if it speaks over its standard streams, `lists` if they cannot be read. */
  | { readonly type: 'ready'; readonly url?: string; readonly lists?: ListSnapshot }
  /** The server does not start. */
  | { readonly type: 'failed'; readonly error: ErrorReport; readonly hint?: string }
  /** An error that no peer receives. */
  | { readonly type: 'error'; readonly where: string; readonly error: ErrorReport }
  | { readonly type: 'announced' };

/** A message of the supervisor to its child. */
export type SupervisorMessage =
  | { readonly type: 'state-answer'; readonly id: number; readonly value?: unknown }
  | { readonly type: 'state-error'; readonly id: number; readonly reason: string; readonly message: string }
  /** A message of a topic; without a text: messages were lost. */
  | { readonly type: 'topic'; readonly handle: number; readonly text?: string }
  | { readonly type: 'announce'; readonly lists: readonly ('tools' | 'prompts' | 'resources')[] }
  | { readonly type: 'stop' };

/** Returns a message of the child; undefined for anything else that user code sends over the same channel. */
export function readChildMessage(value: unknown): ChildMessage | undefined {
  if (typeof value !== 'object' || value === null || !(marker in value)) return undefined;
  return (value as { readonly [marker]: ChildMessage })[marker];
}

/** The member of all messages on the channel that are ours: user code may use the channel too. */
export const marker = 'tenon/dev';
