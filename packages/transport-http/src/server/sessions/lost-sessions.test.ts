import { describe, expect, it } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeProcesses } from '../../../test/fake-processes.js';
import { request } from '../../../test/fake-service.js';

const lost = { id: 7, error: { code: -32603, message: expect.stringContaining('The session has ended') } };

/** Two processes with a session, and a call of the first one that sends progress and does not end. */
async function running() {
  const processes = new FakeProcesses();
  const [first, second] = [await processes.process(), await processes.process()];
  const session = await first.opened();
  await second.post(request(1, 'ping'), session).done();
  let sends = true;
  first.application.play = (_, exchange, end) => {
    if (sends) void exchange.send('{"jsonrpc":"2.0","method":"progress"}');
    return new Promise((resolve) => {
      if (end !== undefined) end.closed = () => resolve(undefined);
    });
  };
  return {
    ...{ processes, first, second, session },
    call(isStream: boolean) {
      sends = isStream;
      return first.post(request(7, 'tools/call'), session);
    },
    /** The state loses its data and the connections of the processes. */
    async lose() {
      const id = session['mcp-session-id'];
      processes.memory.interrupt();
      processes.memory.restore();
      await processes.state.kv.delete(`session/${id}/record`);
      await settled();
    },
  };
}

describe('a session that the state has lost', () => {
  it.each(['with', 'without'])('answers a call %s a stream with an error', async (stream) => {
    const { call, lose } = await running();
    const posted = call(stream === 'with');
    await settled();
    await lose();
    expect([posted.closed, posted.status, posted.messages.at(-1)]).toMatchObject([true, 200, lost]);
  });

  it('answers the calls of a stream that another process reads with an error', async () => {
    const { first, second, session, call, lose } = await running();
    const posted = call(true);
    await settled();
    posted.leave();
    const resumed = second.get({ ...session, 'last-event-id': `${first.id}.1.2` });
    await settled();
    await lose();
    expect([resumed.closed, resumed.messages]).toMatchObject([true, [lost]]);
  });

  it('answers the calls of a stream when its reader finds that its log is lost', async () => {
    const { processes, first, second, session, call } = await running();
    call(true).leave();
    await settled();
    const resumed = second.get({ ...session, 'last-event-id': `${first.id}.1.2` });
    await settled();
    await processes.state.log.delete(`session/${session['mcp-session-id']}/stream/${first.id}/1`);
    await second.clock.advance(60_000);
    expect([resumed.closed, resumed.messages]).toMatchObject([true, [lost]]);
  });

  it('sends no error on a stream that a process leaves to others', async () => {
    const { first, second, session, call } = await running();
    call(true).leave();
    await settled();
    const resumed = second.get({ ...session, 'last-event-id': `${first.id}.1.2` });
    await settled();
    await second.service.drain();
    expect([resumed.closed, resumed.messages]).toEqual([true, []]);
  });
});
