import { type HttpServing, listenHttp } from '@tenon/mcp-transport-http/node';
import type { RequestGuardOptions } from '@tenon/mcp-transport-http/server';
import { onTestFinished } from 'vitest';
import type { FakeClock } from '../../testing/src/fake-clock.js';
import type { SseOptions } from '../src/server/sse-options.js';
import { SseMount } from '../src/server.js';
import { NotedApplication } from './noted-application.js';
import { RawStream } from './raw-wire.js';

/** A mount that serves on a port of its own. */
export interface ServedMount {
  readonly application: NotedApplication;
  readonly clock: FakeClock;
  readonly mount: SseMount;
  readonly serving: HttpServing;
  readonly origin: string;
  /** Opens an event stream. */
  open(headers?: Readonly<Record<string, string>>): Promise<RawStream>;
}

/** Serves a mount until the end of the test. The name in `authorization` is accepted without a check. */
export async function served(
  options: SseOptions & { application?: NotedApplication } = {},
): Promise<ServedMount> {
  const { application = new NotedApplication(), ...given } = options;
  const { clock } = application;
  const mount = new SseMount(application, given);
  const authenticate: RequestGuardOptions['authenticate'] = ({ header }) => {
    const id = header('authorization');
    return id === undefined ? undefined : { id };
  };
  const serving = await listenHttp(application, { mounts: [mount], authenticate });
  onTestFinished(() => serving.close());
  const { origin } = new URL(serving.url);
  const path = given.path ?? '/sse';
  const open: ServedMount['open'] = (headers) => RawStream.open(origin + path, headers);
  return { application, clock, mount, serving, origin, open };
}
