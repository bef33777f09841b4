import { readdirSync } from 'node:fs';
import { revisions } from '@tenon/mcp-protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { showsBy } from '../../suite/shows.js';
import { type Row, rows, type Where } from './behaviours/rows.js';
import { folderOf, tell } from './behaviours/tell.js';
import { transports } from './behaviours/transports.js';

const ids = revisions.map(({ id }) => id).sort();
const places: Where[] = ids.flatMap((revision) =>
  [...transports.keys()].map((transport) => ({ revision, transport })),
);
const kinds: Row['fixtureKind'][] = ['frames', 'http'];

function has(row: Row, revision: string): boolean {
  return places.some((place) => place.revision === revision && row.absent(place) === undefined);
}

/** The requirements of a story in one place; without a name, of every story. */
const shown = {
  'frames of 2024-11-05 over memory: completion': '2024-11-05/server/utilities/completion/references',
  'frames of 2024-11-05 over memory: progress': '2024-11-05/basic/utilities/progress/increases',
  'frames of 2025-03-26 over memory: batches': '2025-03-26/json-rpc/receive-batches',
  'frames of 2025-03-26 over memory: completion': '2025-03-26/completion/references',
  'frames of 2026-07-28 over http': '2026-07-28/basic/transports/index/directions',
  'frames of 2026-07-28 over http: completion': '2026-07-28/server/utilities/completion/error-unknown-prompt',
  'frames of 2026-07-28 over http: elicitation': '2026-07-28/server/tools/input-required',
  'frames of 2026-07-28 over http: logging': [
    '2026-07-28/server/utilities/logging/no-level-no-logs',
    '2026-07-28/server/utilities/logging/level-unknown',
  ],
  'frames of 2026-07-28 over http: pagination': '2026-07-28/server/utilities/pagination/invalid-cursor-error',
  'frames of 2026-07-28 over http: prompts': '2026-07-28/server/prompts/respond-to-list',
  'frames of 2026-07-28 over http: resources': '2026-07-28/server/resources/respond-to-list',
  'frames of 2026-07-28 over http: subscriptions': '2026-07-28/server/resources/updated',
  'frames of 2026-07-28 over http: tools': '2026-07-28/server/tools/respond-to-list',
  'frames of 2026-07-28 over memory': '2026-07-28/basic/transports/index/custom-preserves',
  'frames of 2026-07-28 over stdio': [
    '2026-07-28/basic/index/base-protocol',
    '2026-07-28/basic/transports/index/directions',
  ],
  'frames of 2026-07-28 over stdio: cancellation': [
    '2026-07-28/basic/patterns/cancellation/no-response',
    '2026-07-28/basic/patterns/cancellation/ignore-unknown',
    '2026-07-28/basic/transports/stdio/silent-after-cancel',
  ],
  'frames of 2026-07-28 over stdio: elicitation': [
    '2026-07-28/basic/index/undeclared-error',
    '2026-07-28/basic/patterns/mrtr/state-rejected',
    '2026-07-28/basic/patterns/mrtr/unexpected-ignored',
    '2026-07-28/basic/patterns/mrtr/missing-asked-again',
    '2026-07-28/client/elicitation/secrets-by-url',
    '2026-07-28/client/elicitation/parameters',
    '2026-07-28/client/elicitation/form-parameters',
    '2026-07-28/client/elicitation/url-parameters',
    '2026-07-28/client/elicitation/handle-refusals',
    '2026-07-28/client/elicitation/server-validates',
  ],
  'frames of 2026-07-28 over stdio: lifecycle': [
    '2026-07-28/basic/index/result-id',
    '2026-07-28/server/index/primitives',
  ],
  'frames of 2026-07-28 over stdio: logging': [
    '2026-07-28/server/utilities/logging/level-unknown',
    '2026-07-28/server/utilities/logging/context',
  ],
  'frames of 2026-07-28 over stdio: progress': [
    '2026-07-28/basic/patterns/index/request-notifications',
    '2026-07-28/basic/patterns/progress/send-progress',
  ],
  'frames of 2026-07-28 over stdio: subscriptions': '2026-07-28/basic/patterns/subscriptions/id-on-all',
  'frames of 2026-07-28 over stdio: tools': '2026-07-28/server/tools/protocol-errors',
  'http of 2024-11-05 over sse: session': '2024-11-05/basic/transports/two-endpoints',
  'http of 2025-03-26 over http: input-requests': '2025-03-26/streamable-http/before-responses',
  'http of 2025-03-26 over http: batches': '2025-03-26/streamable-http/body',
  'http of 2025-03-26 over http: calls': [
    '2025-03-26/streamable-http/answer-type',
    '2025-03-26/streamable-http/one-response-each',
  ],
  'http of 2025-03-26 over http: expiry': '2025-03-26/sessions/terminated',
  'http of 2025-03-26 over http: json-only': '2025-03-26/streamable-http/stream-or-405',
  'http of 2025-03-26 over http: session': [
    '2025-03-26/sessions/id-assigned',
    '2025-03-26/sessions/id-required',
    '2025-03-26/streamable-http/single-endpoint',
  ],
  'http of 2026-07-28 over http': '2026-07-28/basic/index/base-protocol',
  'http of 2026-07-28 over http: input-requests': [
    '2026-07-28/basic/index/undeclared-status',
    '2026-07-28/basic/patterns/mrtr/asks-in-results',
    '2026-07-28/basic/transports/streamable-http/no-requests-on-stream',
    '2026-07-28/client/elicitation/form-parameters',
  ],
  'http of 2026-07-28 over http: batches': '2026-07-28/basic/transports/streamable-http/single-message',
  'http of 2026-07-28 over http: calls': [
    '2026-07-28/basic/index/result-id',
    '2026-07-28/basic/patterns/index/request-notifications',
    '2026-07-28/basic/patterns/progress/stops',
    '2026-07-28/basic/transports/streamable-http/stream-notifications',
    '2026-07-28/basic/transports/streamable-http/answer-ends-stream',
    '2026-07-28/server/utilities/logging/level-respected',
  ],
  'http of 2026-07-28 over http: cancellation': [
    '2026-07-28/basic/patterns/cancellation/http-disconnect',
    '2026-07-28/basic/patterns/cancellation/ignore-uncancellable',
    '2026-07-28/basic/transports/streamable-http/notification-accepted',
    '2026-07-28/basic/transports/streamable-http/disconnect-cancels',
  ],
  'http of 2026-07-28 over http: discovery': [
    '2026-07-28/basic/versioning/discover-implemented',
    '2026-07-28/server/discover/response',
    '2026-07-28/server/resources/declare-capability',
    '2026-07-28/server/utilities/logging/declare-capability',
  ],
  'http of 2026-07-28 over http: draining': [
    '2026-07-28/basic/patterns/subscriptions/server-ends',
    '2026-07-28/basic/patterns/subscriptions/graceful-result',
  ],
  'http of 2026-07-28 over http: keep-alive':
    '2026-07-28/basic/transports/streamable-http/keep-alive-comments',
  'http of 2026-07-28 over http: listening': [
    '2026-07-28/basic/index/meta-subscription-id',
    '2026-07-28/basic/patterns/subscriptions/acknowledged-first',
    '2026-07-28/basic/patterns/subscriptions/acknowledged-subset',
    '2026-07-28/basic/patterns/subscriptions/id-on-all',
    '2026-07-28/basic/patterns/subscriptions/several',
    '2026-07-28/basic/transports/streamable-http/stream-related',
    '2026-07-28/basic/transports/streamable-http/not-on-listen-stream',
    '2026-07-28/server/utilities/logging/not-on-other-streams',
  ],
  'http of 2026-07-28 over http: refusals': [
    '2026-07-28/basic/index/meta-missing-http',
    '2026-07-28/basic/transports/streamable-http/validate-origin',
    '2026-07-28/basic/transports/streamable-http/origin-forbidden',
    '2026-07-28/basic/transports/streamable-http/origin-body',
  ],
  'http of 2026-07-28 over http: standard-headers': [
    '2026-07-28/basic/transports/index/mirrored',
    '2026-07-28/basic/transports/index/body-is-truth',
    '2026-07-28/basic/transports/streamable-http/param-headers-designated',
    '2026-07-28/basic/transports/streamable-http/decoded-before-comparing',
    '2026-07-28/basic/transports/streamable-http/unknown-forwarded',
    '2026-07-28/basic/transports/streamable-http/validate-encoded',
    '2026-07-28/basic/transports/streamable-http/param-mismatch',
    '2026-07-28/basic/transports/streamable-http/header-omitted',
    '2026-07-28/basic/transports/streamable-http/header-names-case',
    '2026-07-28/basic/transports/streamable-http/header-values-case',
    '2026-07-28/basic/transports/streamable-http/mismatch-status',
    '2026-07-28/basic/transports/streamable-http/mismatch-error',
  ],
  'http of 2026-07-28 over http: stateless-only': [
    '2026-07-28/basic/transports/streamable-http/get-delete-405',
    '2026-07-28/basic/transports/streamable-http/session-id-ignored',
    '2026-07-28/basic/versioning/modern-only-names-versions',
  ],
  'http of 2026-07-28 over http: statuses': [
    '2026-07-28/basic/index/error-id',
    '2026-07-28/basic/transports/streamable-http/method-not-found',
    '2026-07-28/server/resources/not-found',
  ],
  'http of 2026-07-28 over http: version-header': [
    '2026-07-28/basic/transports/streamable-http/version-header',
    '2026-07-28/basic/transports/streamable-http/version-header-differs',
    '2026-07-28/basic/transports/streamable-http/version-unsupported',
    '2026-07-28/basic/transports/streamable-http/version-header-absent',
    '2026-07-28/basic/versioning/unsupported-version',
  ],
};

describe.each(kinds)('behaviours with stories in %s', (fixtureKind) => {
  const rowsOfKind = rows.filter((row) => row.fixtureKind === fixtureKind);

  describe.each(places)('of $revision over $transport', (place) => {
    const present = rowsOfKind.filter((row) => row.absent(place) === undefined);
    const here = `${fixtureKind} of ${place.revision} over ${place.transport}`;
    beforeEach(() => showsBy(here, shown));
    for (const row of present) {
      it(row.story, () => {
        showsBy(`${here}: ${row.story}`, shown);
        return tell(row, place);
      });
    }
    it(`has the others (${rowsOfKind.length - present.length}) with a reason`, () => {
      for (const row of rowsOfKind) expect(row.absent(place)).not.toBe('');
    });
  });

  it.each(ids)('has a file for each story in %s, and no other', (revision) => {
    const stories = rowsOfKind.filter((row) => has(row, revision)).map(({ story }) => `${story}.md`);
    expect(readdirSync(folderOf(fixtureKind, revision)).sort()).toEqual(stories.sort());
  });
});

describe('the table of behaviours', () => {
  it('has each behaviour somewhere, and each transport and revision for some behaviour', () => {
    for (const row of rows) expect(ids.some((id) => has(row, id))).toBe(true);
    for (const place of places)
      expect(rows.some((row) => row.absent(place) === undefined)).toBe(
        transports.get(place.transport)?.absent(place.revision) === undefined,
      );
  });
});
