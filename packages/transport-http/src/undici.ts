export { openSender } from './client/pool-sender.js';
