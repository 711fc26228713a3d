import { entryOf, type JsonObject, setMember } from '../../../engine/core/object'
import { sha256 } from '../../../engine/encoding/sha256'
import type { Flag } from '../../command'
import { CommandError } from '../../errors'
import { type Generator, type Making, newMetadata } from './generator'

export const DATA_FLAGS: readonly Flag[] = [
  {
    name: 'from-literal',
    type: 'texts',
    about: 'Specify a key and literal value to insert (i.e. mykey=somevalue). Can be repeated.',
  },
  {
    name: 'from-file',
    type: 'list',
    values: 'files',
    about: 'Name of an open file, or key=file, whose contents become a value. Can be repeated.',
  },
  {
    name: 'from-env-file',
    type: 'list',
    values: 'files',
    about: 'Name of an open file of lines key=value, one per line.',
  },
  { name: 'append-hash', type: 'on', about: 'Append a hash of the contents to the name.' },
]

/** @throws CommandError */
export function dataOf(
  { name, context, invocation: { flags } }: Making,
  kind: string,
): Record<string, string> {
  const data: Record<string, string> = {}
  const add = (key: string, value: string): void => {
    if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
      throw new CommandError(
        `"${key}" is not valid key name for a ${kind}: a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
      )
    }
    if (Object.hasOwn(data, key)) {
      throw new CommandError(
        `cannot add key "${key}", another key by that name already exists in Data for ${kind} "${name}"`,
      )
    }
    setMember(data, key, value)
  }
  const file = (path: string): string => {
    const text = context.host.readFile(path)
    if (text === undefined)
      throw new CommandError(`error reading ${path}: no such file or directory`)
    return text
  }
  if (flags.has('from-env-file') && (flags.has('from-file') || flags.has('from-literal'))) {
    throw new CommandError('from-env-file cannot be combined with from-file or from-literal')
  }
  for (const text of flags.list('from-file')) {
    const [key, ...rest] = text.split('=')
    if (rest.length > 1) throw new CommandError("key names or file paths cannot contain '='")
    const name = rest[0] ?? text
    add(rest.length === 0 ? (text.split('/').at(-1) ?? text) : (key ?? ''), file(name))
  }
  for (const text of flags.list('from-literal')) {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (key === undefined || value === undefined)
      throw new CommandError(`invalid literal source ${text}, expected key=value`)
    add(key, unquoted(value))
  }
  for (const name of flags.list('from-env-file')) {
    for (const line of file(name).split('\n')) {
      const trimmed = line.trimStart()
      if (trimmed === '' || trimmed.startsWith('#')) continue
      const [key = '', ...rest] = trimmed.split('=')
      add(key, rest.join('='))
    }
  }
  return sortedByKey(data)
}

const sortedByKey = (data: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Removes a pair of quotes around a literal. */
const unquoted = (value: string): string => /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value

/** `web-2f5b4c8k9t`: ten hash characters without vowels, so that they form no words. */
export function hashedName(name: string, contents: JsonObject): string {
  const hash = Array.from(sha256(new TextEncoder().encode(JSON.stringify(contents))), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  return `${name}-${hash.slice(0, 10).replace(/[013ae]/g, (sign) => entryOf(HARMLESS, sign) ?? sign)}`
}

const HARMLESS: Record<string, string> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' }

const configMap: Generator = {
  name: 'configmap',
  called: 'configmap:',
  aliases: ['cm'],
  summary: 'Create a config map from open files or literal values',
  usage:
    'configmap NAME [--from-file=[key=]source] [--from-literal=key1=value1] [--dry-run=server|client|none]',
  example: 'create configmap settings --from-literal=color=blue',
  resource: 'configmaps',
  namespaced: true,
  flags: DATA_FLAGS,
  build(made) {
    const data = dataOf(made, 'ConfigMap')
    const name = made.invocation.flags.on('append-hash')
      ? hashedName(made.name, { data, kind: 'ConfigMap', name: made.name })
      : made.name
    return {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: newMetadata(name),
      ...(Object.keys(data).length === 0 ? {} : { data }),
    }
  },
}

export const CONFIGURATION: readonly Generator[] = [configMap]
