import type { Command, Option } from 'commander';

/** Returns the script that completes the commands and options of the program in a shell. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: command.createHelp().visibleOptions(command),
    takesServer: command.options.some(({ long }) => long === '--transport' || long === '--server'),
  }));
  const scripts = { bash, zsh, fish };
  return scripts[shell](commands);
}

interface Completed {
  readonly name: string;
  readonly description: string;
  readonly options: readonly Option[];
  readonly takesServer: boolean;
}

/** Prints the names of the configured servers, one a line. Names with a backslash or a quote are left out. */
const serverNames = `tenon servers --json 2>/dev/null | tr '{,' '\\n\\n' | sed -n 's/^"name":"\\([^"\\\\]*\\)".*$/\\1/p' | sort -u`;

function flagsOf({ short, long }: Option): string[] {
  return [short, long].filter((flag) => flag !== undefined);
}

function bash(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ name, options }) => `    ${name}) words="${options.flatMap(flagsOf).join(' ')}" ;;`,
  );
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap((option) => {
      const { argChoices } = option;
      return argChoices === undefined
        ? []
        : [`    ${name}:${option.long}) words="${argChoices.join(' ')}" ;;`];
    }),
  );
  const servers = commands.filter(({ takesServer }) => takesServer).map(({ name }) => name);
  return `# bash completion for tenon
_tenon() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words="" word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word == -- ]]; then compopt -o default; return; fi
  done
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=( $(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$cur") )
    return
  fi
  case "$command:$prev" in
${values.join('\n')}
  esac
  if [[ -z $words && $cur == -* ]]; then
    case "$command" in
${cases.join('\n')}
    esac
  fi
  if [[ -z $words && $COMP_CWORD == 2 ]]; then
    case "$command" in
    ${servers.join('|')})
      # Not with compgen, which would run what a name contains.
      while IFS= read -r word; do
        if [[ $word == "$cur"* ]]; then COMPREPLY+=( "$(printf %q "$word")" ); fi
      done < <(${serverNames})
      ;;
    esac
  fi
  if [[ -n $words ]]; then
    COMPREPLY=( $(compgen -W "$words" -- "$cur") )
  elif (( \${#COMPREPLY[@]} == 0 )); then
    compopt -o default
  fi
}
complete -F _tenon tenon`;
}

function zsh(commands: readonly Completed[]): string {
  const list = commands.map(({ name, description }) => `    ${quoted(`${name}:${description}`)}`);
  const cases = commands.map(({ name, options, takesServer }) => {
    const specifications = options.map((option) => `      ${quoted(zshOption(option))}`);
    const first = takesServer ? ["      '1:server:_tenon_servers'"] : [];
    return `    ${name}) _arguments \\\n${[...specifications, ...first, "      '*:argument:_files'"].join(' \\\n')} ;;`;
  });
  return `#compdef tenon
_tenon_servers() {
  local -a names
  names=(\${(f)"$(${serverNames})"})
  compadd -a names
}
_tenon() {
  local -a commands
  commands=(
${list.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_tenon" ]; then _tenon "$@"; else compdef _tenon tenon; fi`;
}

function zshOption(option: Option): string {
  const description = option.description.replace(/[[\]:\\]/g, '\\$&');
  const { argChoices } = option;
  const values = argChoices === undefined ? '_files' : `(${argChoices.join(' ')})`;
  return `*${option.long}[${description}]${option.required || option.optional ? `:value:${values}` : ''}`;
}

function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, description, options, takesServer }) => {
    const inside = `complete -c tenon -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c tenon -f -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
      ...options.map((option) => `${inside} ${fishOption(option)}`),
      ...(takesServer ? [`${inside} -a '(__tenon_servers)'`] : []),
    ];
  });
  return `# fish completion for tenon
function __tenon_servers
  ${serverNames}
end
${lines.join('\n')}`;
}

function fishOption(option: Option): string {
  const { argChoices, short, long = '', description } = option;
  const values = argChoices === undefined ? '' : ` -x -a ${quoted(argChoices.join(' '))}`;
  const isOpen = (option.required || option.optional) && argChoices === undefined;
  const letter = short === undefined ? '' : ` -s ${short.slice(1)}`;
  return `-l ${long.slice(2)}${letter}${isOpen ? ' -r' : ''}${values} -d ${quoted(description)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
