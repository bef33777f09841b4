import { WorkbenchError } from '@tenon/mcp-workbench';

/** Requires that a command line has no further words. @param kind - the kind of the last word that the command uses, such as `tool`. */
export function requireNoMore(words: readonly string[], kind: string): void {
  if (words.length === 0) return;
  throw new WorkbenchError('usage', `One ${kind} at a time: "${words.join(' ')}" is left over.`);
}
