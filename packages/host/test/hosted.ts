import { memoryTarget } from '@tenon/mcp-client/memory';
import { createServer, type Server } from '@tenon/mcp-server';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  type AuditRecord,
  type ConsentAnswer,
  type ConsentRequest,
  createHost,
  type Host,
  type HostOptions,
} from '../src/index.js';

export const info = { name: 'agent', version: '1.0.0' };

/** Returns a server with one tool that returns its name and arguments. */
export function serverWith(...names: readonly string[]): Server {
  const server = createServer({ name: 'any', version: '1.0.0' });
  for (const name of names)
    server.tool(name, { description: `Does ${name}.`, input: z.looseObject({}) }, () => `${name} ran`);
  return server;
}

/** A host with everything that was asked and recorded. */
export interface Hosted {
  readonly host: Host;
  readonly questions: ConsentRequest[];
  readonly records: AuditRecord[];
  readonly errors: unknown[];
}

/** Returns a host of servers in this process, which is closed after the test. The user answers `answer`. */
export function hosted(
  servers: Readonly<Record<string, Server>>,
  options: Partial<HostOptions> & { readonly answer?: ConsentAnswer } = {},
): Hosted {
  const { answer = 'once', ...more } = options;
  const questions: ConsentRequest[] = [];
  const records: AuditRecord[] = [];
  const errors: unknown[] = [];
  const host = createHost({
    info,
    servers: Object.fromEntries(
      Object.entries(servers).map(([name, server]) => [name, memoryTarget(server)]),
    ),
    consent: (question) => {
      questions.push(question);
      return answer;
    },
    audit: { append: (record) => void records.push(record) },
    onError: (error) => errors.push(error),
    ...more,
  });
  onTestFinished(() => host.close());
  return { host, questions, records, errors };
}
