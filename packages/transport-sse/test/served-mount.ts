import { type HttpServing, listenHttp } from '@tenon/mcp-transport-http/node';
import type { GateOptions } from '@tenon/mcp-transport-http/server';
import { onTestFinished } from 'vitest';
import { SseMount } from '../src/server/sse-mount.js';
import type { SseOptions } from '../src/server/sse-options.js';
import type { HandClock } from './hand-clock.js';
import { NotedApplication } from './noted-application.js';
import { RawStream } from './raw-wire.js';

/** A mount at work on a port of its own. */
export interface ServedMount {
  readonly application: NotedApplication;
  readonly clock: HandClock;
  readonly mount: SseMount;
  readonly serving: HttpServing;
  readonly origin: string;
  /** Opens an event stream. */
  open(headers?: Readonly<Record<string, string>>): Promise<RawStream>;
}

/** Serves a mount until the test is over. Whoever gives a name in `authorization` is taken at his word. */
export async function served(
  options: SseOptions & { application?: NotedApplication } = {},
): Promise<ServedMount> {
  const { application = new NotedApplication(), ...given } = options;
  const { clock } = application;
  const mount = new SseMount(application, given);
  const authenticate: GateOptions['authenticate'] = ({ header }) => {
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
