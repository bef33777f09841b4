import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { WorkbenchError } from '../failures/workbench-error.js';

const locks = new Set<string>();

function releaseAll(): void {
  for (const lock of locks) rmSync(lock, { force: true });
}

/**
 * Makes this process the only one that writes a recording, until the process ends: two writers would mix their messages.
 * @throws WorkbenchError `usage` if another process writes the file
 */
export function lockFile(file: string): void {
  const lock = `${file}.lock`;
  if (locks.has(lock)) return;
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const owner = Number(readFileSync(lock, 'utf8'));
    if (isRunning(owner)) throw lockedBy(file, owner);
    // The process ended without removing its lock.
    writeFileSync(lock, String(process.pid));
  }
  if (locks.size === 0) process.once('exit', releaseAll);
  locks.add(lock);
}

/** Removes the lock: other processes may write the recording. */
export function unlockFile(file: string): void {
  const lock = `${file}.lock`;
  if (!locks.delete(lock)) return;
  rmSync(lock, { force: true });
  if (locks.size === 0) process.off('exit', releaseAll);
}

function lockedBy(file: string, owner: number): WorkbenchError {
  return new WorkbenchError('usage', `${file} is being written by process ${owner}.`, {
    hint: `Record to another file. If no such recorder runs, remove ${file}.lock.`,
  });
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the value of a function that reads or writes a recording. @throws WorkbenchError `usage` if the function throws */
export function withFile<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw failureOfFile(file, cause);
  }
}

/** Returns the error of a recording that cannot be used. */
export function failureOfFile(file: string, cause: unknown): WorkbenchError {
  if (cause instanceof WorkbenchError) return cause;
  if (cause instanceof SyntaxError)
    return new WorkbenchError('usage', `${file} is not a recording that can be used: ${cause.message}`, {
      cause,
    });
  const { code, message } = cause as NodeJS.ErrnoException;
  const reason = code === 'ENOENT' ? 'does not exist' : `cannot be used: ${message}`;
  return new WorkbenchError('usage', `${file} ${reason}.`.replace(/\.\.$/, '.'), { cause });
}
