// The floor: no framework. What it answers is correct for the requests the bench sends; it validates nothing, keeps no
// session, and does for each carrier the least that carrier can be done with.

export { serveHttp } from './floor-http.js';
export { httpClient } from './floor-http-client.js';
export { memoryCaller } from './floor-memory.js';
export { serveStdio } from './floor-stdio.js';
export { stdioClient } from './floor-stdio-client.js';
