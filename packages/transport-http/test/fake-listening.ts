import { systemClock } from '@tenon/foundation';
import { onTestFinished } from 'vitest';
import { type HttpServing, type ListenOptions, listenHttp } from '../src/node/listening.js';
import type { HttpOptions } from '../src/server/http-options.js';
import { FakeApplication, type Play } from './fake-application.js';
import { RawHttp } from './raw-http.js';

/** A server on its own port with a fake application. It is closed after the test. */
export interface FakeListening {
  readonly serving: HttpServing;
  readonly application: FakeApplication;
  open(): Promise<RawHttp>;
}

export async function listening(
  options: HttpOptions & ListenOptions = {},
  play?: Play,
): Promise<FakeListening> {
  const application = new FakeApplication(play);
  const serving = await listenHttp(application, { clock: systemClock, limits: { drain: 100 }, ...options });
  const clients: RawHttp[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.socket.destroy();
    await serving.close();
  });
  const open = async () => {
    const client = await RawHttp.open(serving.url);
    clients.push(client);
    return client;
  };
  return { serving, application, open };
}
