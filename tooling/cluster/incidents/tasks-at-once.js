export const tasksAtOnce = { name: 'tasks-at-once', about: 'todo', run: async () => [] };
