import { describe, expect, it } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeService } from '../../../test/fake-service.js';
import { BrokenEventStore } from '../../../test/fake-stores.js';

describe('an event store that fails', () => {
  it.each([true, false])('on delete: ends the session (later: %s)', async (later) => {
    const host = new FakeService({}, undefined, new BrokenEventStore('forget', later));
    const session = host.open();
    expect(host.delete(session).status).toBe(204);
    await settled();
    expect(host.service.sessions).toBe(0);
    expect(host.errors.length).toBe(1);
  });

  it.each([true, false])('on replay: answers 500 without a crash (later: %s)', async (later) => {
    const host = new FakeService({}, undefined, new BrokenEventStore('after', later));
    const session = host.open();
    const call = await host.get({ ...session, 'last-event-id': '4.1' }).done();
    expect(call.status).toBe(500);
    expect(host.errors).toHaveLength(1);
  });
});
