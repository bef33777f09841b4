export { type SkillCacheOptions, skillCache } from './cache/disk-cache.js';
