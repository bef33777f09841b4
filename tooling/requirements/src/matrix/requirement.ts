import { type Client, type ClientOptions, connect } from '@tenon/mcp-client';
import type { Contract } from '@tenon/mcp-protocol';
import type { Server } from '@tenon/mcp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readPages } from '../rows/read-pages.js';
import { storyTitle } from '../running/story-titles.js';
import { type Narrowing, type Place, placesOf } from './fan.js';
import { transports } from './transports.js';
import { Wire } from './wire.js';

/** A client connected to a server, and what they say to each other. */
export interface Served<C extends Contract> {
  readonly client: Client<C>;
  readonly wire: Wire;
}

/** What a story is told with, in one revision over one transport. */
export interface Stage extends Place {
  /** Serves a server and connects a client to it; both end with the test. */
  serve<C extends Contract>(server: Server<C>, options?: Partial<ClientOptions>): Promise<Served<C>>;
}

/** How a story is told. */
export interface StoryOptions extends Narrowing {
  /** What the story shows, where the rows do not say it well enough. */
  readonly title?: string;
}

const rows = new Map(readPages().flatMap((page) => page.rows.map((row) => [row.id, row])));
const info = { name: 'matrix', version: '1.0.0' };

/**
 * Tells a story in every revision its requirements hold in and over every transport those have, a test for each.
 * What cannot be told as asked becomes a test that fails and says why.
 */
export function requirement(
  ids: readonly string[],
  options: StoryOptions,
  story: (stage: Stage) => Promise<void>,
): void {
  describe(storyTitle(ids), () => {
    const title = options.title ?? ids.map((id) => rows.get(id)?.sentence).join(' ');
    let places: readonly Place[];
    try {
      places = placesOf(ids, rows, options);
    } catch (error) {
      it('has a place', () => {
        throw error;
      });
      return;
    }
    describe(title, () => {
      it.each(places)('$revision over $transport', (place) => {
        expect.hasAssertions();
        return story({ ...place, serve: serverAt(place) });
      });
    });
  });
}

function serverAt({ revision, transport }: Place): Stage['serve'] {
  return async (server, options) => {
    const served = await transports.get(transport)?.serve(server);
    if (served === undefined) throw new RangeError(`there is no transport ${transport}`);
    onTestFinished(() => served.close());
    const wire = new Wire();
    const { target } = served;
    const tapped = { restartable: target.restartable, open: async () => wire.tap(await target.open()) };
    const client = await connect<typeof server>(tapped, { info, revision, ...options });
    onTestFinished(() => client.close());
    return { client: client as Client<never>, wire };
  };
}
