import type { Declare } from '../context.js';
import { declareApp } from './app/declare-app.js';
import { declareBench } from './bench/declare-bench.js';
import { declareCall } from './call/declare-call.js';
import { declareCard } from './card/declare-card.js';
import { declareCompat } from './compat/declare-compat.js';
import { declareComplete } from './complete/declare-complete.js';
import { declareCompletion } from './completion/declare-completion.js';
import { declareConformance } from './conformance/declare-conformance.js';
import { declareDev } from './dev/declare-dev.js';
import { declareDiff } from './diff/declare-diff.js';
import { declareDoctor } from './doctor/declare-doctor.js';
import { declareTypes } from './generated-types/declare-types.js';
import { declareInstall } from './install/declare-install.js';
import { declareLint } from './lint/declare-lint.js';
import { declareList } from './list/declare-list.js';
import { declareLogin } from './login/declare-login.js';
import { declareLogout } from './logout/declare-logout.js';
import { declarePrompt } from './prompt/declare-prompt.js';
import { declarePublishCheck } from './publish-check/declare-publish-check.js';
import { declareRead } from './read/declare-read.js';
import { declareRecord } from './record/declare-record.js';
import { declareReplay } from './replay/declare-replay.js';
import { declareServers } from './servers/declare-servers.js';
import { declareSkills } from './skills/declare-skills.js';
import { declareTasks } from './tasks/declare-tasks.js';
import { declareUninstall } from './uninstall/declare-uninstall.js';
import { declareWatch } from './watch/declare-watch.js';

/** Commands that belong together in the help. */
interface CommandGroup {
  readonly heading: string;
  readonly declarations: readonly Declare[];
}

/** The commands, in the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  {
    heading: 'Use a server:',
    declarations: [
      declareList,
      declareCall,
      declareRead,
      declarePrompt,
      declareComplete,
      declareWatch,
      declareTasks,
      declareApp,
      declareSkills,
    ],
  },
  {
    heading: 'Develop and test a server:',
    declarations: [
      declareDev,
      declareRecord,
      declareReplay,
      declareDiff,
      declareLint,
      declareCompat,
      declareDoctor,
      declareBench,
      declareConformance,
    ],
  },
  {
    heading: 'Connect programs and people:',
    declarations: [
      declareServers,
      declareInstall,
      declareUninstall,
      declareLogin,
      declareLogout,
      declareTypes,
      declareCard,
      declarePublishCheck,
      declareCompletion,
    ],
  },
];
