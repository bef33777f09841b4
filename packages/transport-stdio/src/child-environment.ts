type Environment = Readonly<Record<string, string | undefined>>;

const posixNames = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
const windowsNames = [
  'APPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERNAME',
  'USERPROFILE',
  'PROGRAMFILES',
];

/**
 * The variables a child inherits by default: the few that programs need to find things, none that may hold a secret.
 * Values that begin with `()` are shell functions and are left out.
 */
export function inheritedEnvironment(
  from: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const name of platform === 'win32' ? windowsNames : posixNames) {
    const value = from[name];
    if (value !== undefined && !value.startsWith('()')) inherited[name] = value;
  }
  return inherited;
}
