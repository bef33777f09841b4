// The official SDK 2.x without sessions, with a transport and a server a request as the README of its Node package has it: less is
// said of it than of `createMcpHandler`, and it takes half the CPU.
export { serveHttpByTransports as serveHttp } from './official-2-server.js';
