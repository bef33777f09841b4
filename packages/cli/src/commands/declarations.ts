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

/** The commands, in the order of the help. */
export const declarations: readonly Declare[] = [
  declareList,
  declareApp,
  declareSkills,
  declareServers,
  declareWatch,
  declareTasks,
  declareLogin,
  declareLogout,
  declareCall,
  declareRead,
  declarePrompt,
  declareComplete,
  declareRecord,
  declareReplay,
  declareLint,
  declareDoctor,
  declareBench,
  declareTypes,
  declareDev,
  declareInstall,
  declareUninstall,
  declareCompletion,
  declareDiff,
  declareCompat,
  declareConformance,
  declareCard,
  declarePublishCheck,
];
