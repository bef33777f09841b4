import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client';

/** The server, in references to its tasks. */
const endpointId = 'everything';

/**
 * The official client for tasks, on a connected client of the second generation of the official SDK. Input requests that belong to a
 * task are answered by the application; in 2025-11-25 only if they name the task.
 *
 * @param {object} connected
 * @param {import('@modelcontextprotocol/client').Client} connected.client without handlers of input requests
 * @param {import('@modelcontextprotocol/client').Transport} connected.transport
 * @param {import('@modelcontextprotocol/client').ClientCapabilities} connected.capabilities of the client
 * @param {import('./application.js').Application} connected.application
 * @returns {import('./peer.js').TaskPeer}
 */
export function officialTasks({ client, transport, capabilities, application }) {
  const modern = client.getProtocolEra() === 'modern';
  const options = {
    endpointId,
    ...(modern && {
      rawDispatch: dispatchOn(transport),
      v2RequestFraming: {
        protocolVersion: String(client.getNegotiatedProtocolVersion()),
        clientInfo: { name: 'interop', version: '1.0.0' },
        clientCapabilities: /** @type {any} */ (capabilities),
      },
    }),
    async onInputRequest(/** @type {{ kind: string, params: unknown }} */ { kind, params }) {
      if (kind !== 'elicitation') throw new Error(`${kind} was not expected.`);
      return application.answer('form', params);
    },
    onError: (/** @type {Error} */ error) => application.complaints.add(error.message),
  };
  let session = createTaskSessionFromClient(client, /** @type {any} */ (options));
  /**
   * Requests the result. The server requests input on the stream of that request. In 2025-11-25 the package requests it once the task has ended.
   *
   * @param {string} taskId
   */
  const openStream = (taskId) => {
    const request = { method: 'tasks/result', params: { taskId } };
    // The package reads the result itself.
    client.request(request, anyResult).catch(() => undefined);
  };
  const opened = modern ? undefined : openStream;
  return {
    call: async (name, args) =>
      started(session, await session.callTool(name, args, { task: { preference: 'prefer' } }), opened),
    async resume(reference) {
      // A session knows its tasks without their references.
      await session.close();
      session = createTaskSessionFromClient(client, /** @type {any} */ (options));
      return started(session, await session.resumeTask(JSON.parse(reference)), opened);
    },
    close: () => session.close(),
  };
}

/**
 * @param {import('@modelcontextprotocol/ext-tasks/client').TaskEnabledSession<any>} session
 * @param {import('@modelcontextprotocol/ext-tasks/client').ToolExecution<any>} execution
 * @param {((taskId: string) => void) | undefined} openStream called when the task needs input
 * @returns {import('./peer.js').StartedCall}
 */
function started(session, execution, openStream) {
  return {
    isTask: execution.kind === 'task',
    async end() {
      /** @type {Set<string>} */
      const seen = new Set();
      const { outcome } = await execution.settle({
        onEvent(event) {
          if (event.type !== 'task') return;
          const { status, taskId } = event.task;
          if (status === 'input_required' && !seen.has(status)) openStream?.(taskId);
          seen.add(status);
        },
      });
      const states = [...seen];
      const { status } = outcome;
      if (status === 'completed') return { states, status, result: outcome.result };
      return { states, status, ...(status === 'failed' && { error: failureOf(outcome.error) }) };
    },
    cancel: () => execution.cancel(),
    async state() {
      if (execution.kind !== 'task') throw new Error('The call did not become a task.');
      return (await session.task(execution.handle.taskId).snapshot()).status;
    },
    async leave() {
      if (execution.kind !== 'task') throw new Error('The call did not become a task.');
      let reference = '';
      await execution.handoff((given) => {
        reference = JSON.stringify(given);
      });
      return reference;
    },
  };
}

/** Accepts every result. */
const anyResult = {
  '~standard': {
    version: /** @type {const} */ (1),
    vendor: 'interop',
    validate: (/** @type {unknown} */ value) => ({ value }),
  },
};

/** @param {{ code?: number, message: string }} error */
function failureOf({ code, message }) {
  return { code, message };
}

/**
 * Returns a function that sends requests over the transport of a client, beside the client. Tasks of 2026-07-28 need it, because the
 * client rejects results of a type that it does not know.
 *
 * @param {import('@modelcontextprotocol/client').Transport} transport
 * @returns {import('@modelcontextprotocol/ext-tasks/client').RawClientDispatch}
 */
function dispatchOn(transport) {
  /** @type {Map<unknown, (response: any) => void>} */
  const waiting = new Map();
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const { id, method } = /** @type {any} */ (message);
    const settle = method === undefined ? waiting.get(id) : undefined;
    if (settle === undefined) onmessage?.(message, extra);
    else settle(message);
  };
  let sent = 0;
  return async (request, { signal, context } = {}) => {
    const id = `task-${++sent}`;
    signal?.throwIfAborted();
    let abort = () => {};
    /** @type {Promise<any>} */
    const answered = new Promise((resolve, reject) => {
      waiting.set(id, resolve);
      abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort);
    });
    // The transport may reject first.
    answered.catch(() => undefined);
    try {
      const message = /** @type {any} */ ({ jsonrpc: '2.0', id, .../** @type {object} */ (request) });
      await transport.send(message, {
        ...(signal && { requestSignal: signal }),
        ...(context?.headers && { headers: context.headers }),
      });
      const { result, error } = await answered;
      return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
    } finally {
      waiting.delete(id);
      signal?.removeEventListener('abort', abort);
    }
  };
}
