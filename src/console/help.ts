/** Help in kubectl's layout, from the command table. */
import { largest } from '../engine/core/lists'
import type { Command, Flag } from './command'
import { GLOBAL_FLAGS } from './globals'

/** kubectl's groups, in its order; others come last. */
const GROUPS: readonly (readonly [title: string, commands: readonly string[]])[] = [
  ['Basic Commands (Beginner)', ['create', 'expose', 'run', 'set']],
  ['Basic Commands (Intermediate)', ['explain', 'get', 'edit', 'delete']],
  ['Deploy Commands', ['rollout', 'scale', 'autoscale']],
  [
    'Cluster Management Commands',
    ['certificate', 'cluster-info', 'top', 'cordon', 'uncordon', 'drain', 'taint'],
  ],
  [
    'Troubleshooting and Debugging Commands',
    [
      'describe',
      'logs',
      'attach',
      'exec',
      'port-forward',
      'proxy',
      'cp',
      'auth',
      'debug',
      'events',
    ],
  ],
  ['Advanced Commands', ['diff', 'apply', 'patch', 'replace', 'wait', 'kustomize']],
  ['Settings Commands', ['label', 'annotate']],
]
const OTHER_COMMANDS = 'Other Commands'

/** The help of `kubectl` without a command. */
export function overview(commands: readonly Command[]): string {
  const grouped = new Set(GROUPS.flatMap(([, names]) => names))
  const rest = commands.map(({ name }) => name).filter((name) => !grouped.has(name))
  const byName = new Map(commands.map((command) => [command.name, command]))
  const section = ([title, names]: (typeof GROUPS)[number]): string[] => [
    `${title}:`,
    ...rows(names.flatMap((name) => byName.get(name) ?? [])),
    '',
  ]
  return [
    'kubectl controls the Kubernetes cluster manager.',
    '',
    ' Find more information at: https://kubernetes.io/docs/reference/kubectl/',
    '',
    ...[...GROUPS, [OTHER_COMMANDS, rest] as const].flatMap(section),
    'Usage:',
    '  kubectl [flags] [options]',
    '',
    'In this console, "kubectl" may be omitted or shortened to "k". Pipe output to grep, head, tail,',
    'sort, uniq, cut, tr, wc, base64 or cat.',
    '',
    'Use "kubectl <command> --help" for more information about a given command.',
    OPTIONS_HINT,
    '',
  ].join('\n')
}

const OPTIONS_HINT =
  'Use "kubectl options" for a list of global command-line options (applies to all commands).'

/** @param path with parents: `kubectl auth can-i` */
export function helpOf(command: Command, path: string): string {
  const { summary, usage, examples, flags, commands = [], aliases = [] } = command
  const exampleLines = examples.flatMap(({ about, line }) => [`  # ${about}`, `  ${line}`, ''])
  const sections = [
    [`${summary}.`],
    aliases.length === 0 ? [] : ['Aliases:', `  ${[command.name, ...aliases].join(', ')}`],
    examples.length === 0 ? [] : ['Examples:', ...exampleLines.slice(0, -1)],
    commands.length === 0 ? [] : ['Available Commands:', ...rows(commands)],
    flags.length === 0 ? [] : ['Options:', ...optionLines(flags)],
    ['Usage:', `  kubectl ${usage}`],
    [
      ...(commands.length === 0
        ? []
        : [`Use "${path} <command> --help" for more information about a given command.`]),
      OPTIONS_HINT,
    ],
  ]
  return joined(sections)
}

/** The output of `kubectl options`. */
export function globalOptions(): string {
  const title = 'The following options can be passed to any command:'
  return joined([[title], optionLines(GLOBAL_FLAGS)])
}

const joined = (sections: readonly string[][]): string =>
  `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`

function rows(commands: readonly Command[]): string[] {
  const width = largest(commands.map(({ name }) => name.length))
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}   ${summary}`)
}

function optionLines(flags: readonly Flag[]): string[] {
  const sorted = [...flags].sort((a, b) => (a.name < b.name ? -1 : 1))
  return sorted
    .flatMap((flag) => [`    ${signature(flag)}:`, `\t${description(flag)}`, ''])
    .slice(0, -1)
}

/** `-n, --namespace=''`, `--replicas=1` */
function signature({ name, short, type, default: byDefault = '' }: Flag): string {
  const dashed = short === undefined || short === name ? `--${name}` : `-${short}, --${name}`
  const empty = { on: 'false', list: '[]', texts: '[]' }[type as string] ?? "''"
  return `${dashed}=${byDefault === '' ? empty : type === 'text' ? `'${byDefault}'` : byDefault}`
}

const description = ({ about = '', unavailable }: Flag): string =>
  unavailable === undefined ? about : `Not available here: ${unavailable}.`
