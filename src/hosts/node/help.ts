/** The text of `--help`, in the layout of kube-apiserver. */
import { entryOf } from '../../engine/core/object'
import { gatesWithoutEffectHelp } from '../../engine/release-tables/gates-without-effect'
import type { ReleaseTables } from '../../engine/release-tables/tables'
import { gateHelp } from '../../engine/server/gates'
import type { Flag, FlagType } from './flag'
import { FLAG_SECTIONS } from './flag-table'
import { withoutEffectHelp } from './flags-without-effect'

const WIDTH = 100
const INDENT = ' '.repeat(16)

/** The type after a flag's name in `--help`. A boolean flag needs no value, so it has none. */
const TYPE_NAMES: Record<FlagType, string> = {
  string: ' string',
  strings: ' strings',
  boolean: '',
  onOff: ' on|off',
  int: ' int',
  float: ' float',
  duration: ' duration',
}

/**
 * Every flag once, by section, followed by the flags that are accepted without effect.
 * @param tables of the release whose feature gates are listed
 */
export function usage(tables: ReleaseTables): string {
  const lists: Readonly<Record<string, readonly string[]>> = { 'feature-gates': gateHelp(tables) }
  const sections = FLAG_SECTIONS.map(([title, flags]) => {
    const entries = Object.entries(flags).map(([name, flag]) =>
      entryHelp(name, flag, entryOf(lists, name)),
    )
    return `${title} flags:\n\n${entries.join('\n')}\n`
  })
  return `The Kubernetes API server validates and configures data for the api objects which include
pods, services, replicationcontrollers, and others. kubetab stores them in memory or in etcd.

Usage:
  kubetab [flags]

${sections.join('\n')}
Flags without effect, accepted for command lines of kube-apiserver:

${withoutEffectHelp().join('\n')}

Feature gates without effect, accepted for command lines of kube-apiserver. All gates that are not
listed keep their default:

${gatesWithoutEffectHelp().join('\n')}
`
}

function entryHelp(name: string, flag: Flag, options: readonly string[] = []): string {
  const shown = defaultOf(flag)
  const help = [flag.help, ...options].join('\n')
  const text = shown === '' ? help : `${help} (default ${shown})`
  return `      --${name}${TYPE_NAMES[flag.type]}\n${wrap(text)}`
}

/** The default as Go's pflag prints it: a zero value is not shown. */
function defaultOf({ type, default: value }: Flag): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.length === 0 ? '' : `[${value.join(',')}]`
  if (type === 'onOff') return value ? 'on' : 'off'
  if (typeof value === 'string') return value === '' ? '' : JSON.stringify(value)
  if (value === 0 || value === false) return ''
  return type === 'duration' ? durationText(value as number) : String(value)
}

/** `3600000` -> `1h0m0s`, the format of Go's `Duration.String`. */
function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1000
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  if (hours > 0) return `${hours}h${minutes}m${seconds % 60}s`
  return minutes > 0 ? `${minutes}m${seconds % 60}s` : `${seconds}s`
}

/** Wraps each line of a description; feature gates have one line each. */
function wrap(text: string): string {
  const lines = text.split('\n').flatMap(wrapLine)
  return lines.map((line) => INDENT + line).join('\n')
}

function wrapLine(text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && INDENT.length + line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
