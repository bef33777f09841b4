// The official SDK 2.x without sessions, with a transport and a server per request as in the README of its Node package. Less
// documented than `createMcpHandler`, and it takes half the CPU.
export { serveHttpByTransports as serveHttp } from './official/server.js';
