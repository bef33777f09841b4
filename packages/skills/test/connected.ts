import type { ConnectedSkills } from '../src/client/connected-skills.js';
import { type SkillsClientOptions, skills } from '../src/client.js';
import { type Answers, answering } from './hostile-server.js';
import { served } from './served.js';

/** The skills of a server with these answers, and the URIs that the client requested. */
export async function connected(
  answers: Answers,
  options: SkillsClientOptions = {},
  revision?: string,
): Promise<{ used: ConnectedSkills; reads: string[]; gets: string[] }> {
  const { extension, reads, gets } = answering(answers);
  const mine = skills(options);
  const { client } = await served(extension, { extensions: [mine], ...(revision && { revision }) });
  return { used: mine.of(client).skills, reads, gets };
}
