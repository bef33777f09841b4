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
 * Returns the variables that a child inherits by default: a few that programs need, and none that may contain a secret.
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
