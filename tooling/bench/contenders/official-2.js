// The official SDK 2.x as in its guides, on plain `node:http`, with Host and Origin guards and no event store:
// `createMcpHandler` without sessions, and with sessions a transport and a server per session.
export { httpClient, stdioClient } from './official/clients.js';
export { memoryCaller, serveHttp, serveStdio } from './official/server.js';
