// Support for the tests beside it: the published schema of each part of each message. The suffix keeps it out of the package.

import type { Relax } from '../src/codec/relax.js';
import type { Revision } from '../src/codec/revision.js';
import { all, type WireCheck } from '../src/json-rpc/check.js';
import type { Published } from './published-schemas.js';

/** A part of a message with its published schema, its check, and its lenient reading. */
export interface Subject {
  readonly name: string;
  readonly pointer: string;
  readonly check: WireCheck;
  readonly relax: Relax | undefined;
}

/** All parts of all messages of a revision. */
export function subjectsOf(revision: Revision, schema: Published): readonly Subject[] {
  const { requests, notifications, inputRequests, codec } = revision;
  const stateless = revision.lifecycle === 'stateless';
  const requestSubjects = (
    union: string,
    rows: typeof inputRequests,
    stamp?: Pick<Revision['codec'], 'stamp' | 'relaxStamp'>,
  ): readonly Subject[] =>
    schema.messages(union).flatMap(({ method, params, result }) => {
      const row = rows.get(method);
      if (row === undefined) throw new Error(`${method} has no row.`);
      const check = stamp === undefined ? row.params : all(stamp.stamp, row.params);
      const relax: Relax = (value, onRelaxed) => {
        const stamped = stamp?.relaxStamp?.(value, onRelaxed) ?? value;
        return row.relaxParams?.(stamped, onRelaxed) ?? stamped;
      };
      const ends = { check: row.result, relax: row.relaxResult };
      return [
        ...(params === undefined ? [] : [{ name: `${method} params`, pointer: params, check, relax }]),
        ...(result === undefined ? [] : [{ name: `${method} result`, pointer: result, ...ends }]),
      ];
    });
  const noticeSubjects = (union: string, rows: Revision['notifications']['client']): readonly Subject[] =>
    schema.messages(union).flatMap(({ method, params }) => {
      const row = rows.get(method);
      if (row === undefined) throw new Error(`${method} has no row.`);
      const { params: check, relaxParams: relax } = row;
      return params === undefined ? [] : [{ name: `${method} params`, pointer: params, check, relax }];
    });
  const tasks =
    schema.definitions.CreateTaskResult === undefined ? [] : ['tools/call', ...inputRequests.keys()];
  const asking = [...requests.client].filter(([, row]) => row.mayRequestInput);
  return [
    ...requestSubjects('ClientRequest', requests.client, stateless ? codec : undefined),
    ...requestSubjects('ServerRequest', requests.server),
    ...requestSubjects('InputRequest', inputRequests),
    ...noticeSubjects('ClientNotification', notifications.client),
    ...noticeSubjects('ServerNotification', notifications.server),
    ...tasks.flatMap((method) => {
      const row = requests.client.get(method) ?? inputRequests.get(method);
      // The request for roots is the one that cannot run as a task.
      if (row === undefined || method === 'roots/list') return [];
      const { result: check, relaxResult: relax } = row;
      return [{ name: `${method} task`, pointer: `${schema.prefix}CreateTaskResult`, check, relax }];
    }),
    ...asking.map(([method, row]) => ({
      name: `${method} input requests`,
      pointer: `${schema.prefix}InputRequiredResult`,
      check: row.result,
      relax: row.relaxResult,
    })),
  ];
}
