export const lostSession = { name: 'lost-session', about: 'todo', run: async () => [] };
