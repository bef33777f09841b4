import { StateError } from '@tenon/mcp-state';
import type { ClientBase } from 'pg';

/** The result of a statement. All columns are texts in UTF-8: `bytea` as it is, other types cast to `text`. */
export interface Result {
  readonly rows: readonly (readonly (string | null)[])[];
  /** Rows read or written. */
  readonly count: number;
}

export type Value = string | number | boolean | null | undefined | Buffer | readonly (string | Buffer)[];

// The parsers of a pool belong to its owner, who may have replaced them.
const types = { getTypeParser: () => (raw: string | Buffer) => String(raw) };

/** Sends one statement with its parameters, in one round trip. */
export async function send(client: ClientBase, text: string, values: readonly Value[] = []): Promise<Result> {
  // In the binary format `bytea` arrives as its bytes, which are UTF-8, instead of twice as many digits.
  const config = { text, values: [...values], types, rowMode: 'array' as const, binary: true };
  const { rows, rowCount } = await client.query<(string | null)[]>(config);
  return { rows, count: rowCount ?? 0 };
}

/** Codes of errors after which the database has no space for more. */
const full = new Set(['53100', '54000']);

/** Returns the error of a call for an error of the database. */
export function failureOf(error: unknown): StateError {
  if (error instanceof StateError) return error;
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  const reason = full.has(String(code)) ? 'full' : 'unavailable';
  return new StateError(reason, `State: PostgreSQL did not carry out the call. ${message ?? error}`, {
    cause: error,
  });
}

/** True if a statement failed because the server became read-only: the connection leads to a standby. */
export function isReadOnly(error: unknown): boolean {
  return (Object(error) as { code?: unknown }).code === '25006';
}
