/**
 * A measurement of servers in one and in several processes.
 *
 * @typedef {object} ClusterRow
 * @property {string} id
 * @property {string} title
 * @property {string} about describes the requests
 * @property {import('../matrix/wires.js').Lifecycle} lifecycle
 * @property {'call' | 'initialize'} workload
 * @property {'known' | 'paused' | 'unknown' | 'none'} sessions the sessions of the requests, for processes that share them.
 *   `known`: all processes have served them; `paused`: the same, a second or more after the last request; `unknown`: each request
 *   is the first of its session at its process, and another process has opened the session
 * @property {number} warmUp the share of the warm-up of the plan: the processes are warm from the rows before
 * @property {number} [target] the most CPU per request that Tenon with Redis may take, as a multiple of as many processes
 *   with state in memory
 */

/** Requests in flight, over all processes. */
export const depth = 32;

/** @type {readonly ClusterRow[]} */
export const clusterRows = [
  {
    id: 'cluster-session',
    title: 'Cluster: call in a known session',
    about: 'With Redis each process serves all sessions; with memory each serves its own.',
    lifecycle: 'session',
    workload: 'call',
    sessions: 'known',
    warmUp: 1,
    target: 1.5,
  },
  {
    id: 'cluster-paused',
    title: 'Cluster: call in a known session, a second after its last',
    about: 'The server reports to Redis that the session is in use.',
    lifecycle: 'session',
    workload: 'call',
    sessions: 'paused',
    warmUp: 0.2,
  },
  {
    id: 'cluster-stateless',
    title: 'Cluster: call, 2026-07-28',
    about: 'Such calls share no state.',
    lifecycle: 'stateless',
    workload: 'call',
    sessions: 'none',
    warmUp: 1,
    target: 1.5,
  },
  {
    id: 'cluster-restore',
    title: 'Cluster: first call in a session that another process opened',
    about: 'The process reads the session. With memory, and for the floor, it knows the session already.',
    lifecycle: 'session',
    workload: 'call',
    sessions: 'unknown',
    warmUp: 0.1,
  },
  {
    id: 'cluster-initialize',
    title: 'Cluster: initialize',
    about: 'Each request opens a session.',
    lifecycle: 'session',
    workload: 'initialize',
    sessions: 'none',
    warmUp: 0.2,
  },
];
