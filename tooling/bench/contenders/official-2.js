// The official SDK 2.x as its guides have it on plain `node:http`, with their Host and Origin guards and no event store:
// `createMcpHandler` for the stateless revision, and for the others without sessions; a transport and a server a session with them.
export { httpClient, stdioClient } from './official-2-clients.js';
export { memoryCaller, serveHttp, serveStdio } from './official-2-server.js';
