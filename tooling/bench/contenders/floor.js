// The floor: no framework. Its answers are right for the requests of the bench. It validates nothing, keeps no session, and
// does the least work possible for each transport.

export { serveHttp } from './floor/http.js';
export { httpClient } from './floor/http-client.js';
export { memoryCaller } from './floor/memory.js';
export { serveStdio } from './floor/stdio.js';
export { stdioClient } from './floor/stdio-client.js';
