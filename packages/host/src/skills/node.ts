export { type SkillCacheOptions, skillCache } from './files/disk-cache.js';
