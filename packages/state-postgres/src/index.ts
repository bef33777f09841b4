export type { PostgresStateOptions } from './options.js';
export { postgresState } from './postgres-state.js';
export { type MigrationOptions, type MigrationSqlOptions, migrate, migrationSql } from './schema/migrate.js';
