/**
 * Returns the process and the session of a request. Processes serve in turn; each session is used `visits` times before the next
 * session, and after the last session the first one follows. With `visits: processes` each process serves each session. With
 * `visits: 1`, and a number of sessions that the processes divide, each session has one process.
 *
 * @param {number} request from 0
 * @param {{ processes: number, sessions: number, visits: number }} among
 */
export function dealt(request, { processes, sessions, visits }) {
  return { process: request % processes, session: Math.floor(request / visits) % sessions };
}
