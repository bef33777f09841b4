import { type Client, type ClientOptions, connect } from '@tenon/mcp-client';
import type { Contract } from '@tenon/mcp-protocol';
import type { Server } from '@tenon/mcp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shows } from '../../../suite/shows.js';
import { readPages } from '../rows/read-pages.js';
import { type Narrowing, type Place, placesOf } from './fan.js';
import { transports } from './transports.js';
import { Wire } from './wire.js';

/** A client connected to a server, and the messages between them. */
export interface Served<C extends Contract> {
  readonly client: Client<C>;
  readonly wire: Wire;
}

/** The tools of a story, in one revision over one transport. */
export interface Stage extends Place {
  /** Serves a server and connects a client; both close with the test. */
  serve<C extends Contract>(server: Server<C>, options?: Partial<ClientOptions>): Promise<Served<C>>;
}

/** Options of a story. */
export interface StoryOptions extends Narrowing {
  /** The title of the story, if the rows do not describe it well enough. */
  readonly title?: string;
}

const rows = new Map(readPages().flatMap((page) => page.rows.map((row) => [row.id, row])));
const info = { name: 'matrix', version: '1.0.0' };

/**
 * Runs a story in every revision of its requirements and over all transports, with a test for each. A story without a place
 * to run becomes a test that fails with the reason.
 */
export function requirement(
  ids: readonly string[],
  options: StoryOptions,
  story: (stage: Stage) => Promise<void>,
): void {
  describe(options.title ?? ids.map((id) => rows.get(id)?.sentence ?? id).join(' '), () => {
    let places: readonly Place[];
    try {
      places = placesOf(ids, rows, options);
    } catch (error) {
      it('has a place', () => {
        throw error;
      });
      return;
    }
    it.each(places)('$revision over $transport', (place) => {
      shows(...ids);
      expect.hasAssertions();
      return story({ ...place, serve: serverAt(place) });
    });
  });
}

function serverAt({ revision, transport }: Place): Stage['serve'] {
  return async (server, options) => {
    const served = await transports.get(transport)?.serve(server);
    if (served === undefined) throw new RangeError(`unknown transport ${transport}`);
    onTestFinished(() => served.close());
    const wire = new Wire();
    const { target } = served;
    const tapped = { restartable: target.restartable, open: async () => wire.tap(await target.open()) };
    const client = await connect<typeof server>(tapped, { info, revision, ...options });
    onTestFinished(() => client.close());
    return { client: client as never, wire };
  };
}
