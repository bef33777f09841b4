export const frozenTask = { name: 'frozen-task', about: 'todo', run: async () => [] };
