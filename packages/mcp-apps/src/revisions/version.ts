/** The version of the messages between views and hosts. */
export const appsVersion = '2026-01-26';
