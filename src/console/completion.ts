/** Completes commands, flags, types, names, namespaces and flag values. */
import { isJsonObject } from '../engine/core/object'
import { pathWith } from './client'
import type { Command, Flag } from './command'
import { COMMANDS } from './commands'
import { fieldNames, typeAndFields } from './commands/explain'
import { WHY } from './commands/why'
import { pathOf, type ServedResource } from './discovery'
import { FILTERS } from './filters'
import { readFlags } from './flags'
import { GLOBAL_FLAGS } from './globals'
import { commandOf, type Session } from './session'

export interface Completion {
  /** The start of the completed word. */
  from: number
  words: string[]
  /** Whether a space follows the completed word. */
  space: boolean
}

const MOST_NAMES = 200

/** @param line up to the cursor. Without a server there are no candidates. */
export async function complete(session: Session, line: string): Promise<Completion> {
  const stage = line.slice(lastSeparator(line))
  const typed = stage.split(/\s/).at(-1) ?? ''
  const before = stage
    .slice(0, stage.length - typed.length)
    .split(/\s+/)
    .filter((word) => word !== '')
  const offers = await candidates(session, before, typed, lastSeparator(line) > 0).catch(
    (): Offers => ({ words: [] }),
  )
  const part = offers.part ?? typed
  const words = [...new Set(offers.words)].filter((word) => word.startsWith(part)).sort()
  return {
    from: line.length - part.length,
    words,
    space: !(words.length === 1 && /[=/.,]$/.test(words[0] ?? '')),
  }
}

interface Offers {
  words: readonly string[]
  /** The completed part of the word, if not all. */
  part?: string
}

function lastSeparator(line: string): number {
  const found = /^(?:[^'"|;&]|'[^']*'|"[^"]*")*[|;&]/.exec(line)
  return found === null ? 0 : found[0].length + lastSeparator(line.slice(found[0].length))
}

async function candidates(
  session: Session,
  before: readonly string[],
  typed: string,
  piped: boolean,
): Promise<Offers> {
  const rest = before[0] === 'kubectl' || before[0] === 'k' ? before.slice(1) : before
  if (rest.length === 0) {
    const filters =
      before.length === 0 && (piped || typed !== '')
        ? FILTERS.filter(({ summary }) => summary !== '').map(({ name }) => name)
        : []
    return {
      words: [
        ...COMMANDS.map(({ name }) => name),
        ...(before.length === 0 ? ['kubectl', WHY.name] : []),
        ...filters,
      ],
    }
  }
  const named = commandOf(before)
  if (named === undefined) return { words: COMMANDS.map(({ name }) => name) }
  const { command } = named
  const waiting = waitingFlag(command, named.rest)
  if (waiting !== undefined) return valuesOf(session, waiting, typed)
  if (typed.startsWith('-')) return flags(session, command, typed)
  if (command.commands !== undefined) return { words: command.commands.map(({ name }) => name) }
  const { args, flags: given } = readFlags(command, GLOBAL_FLAGS, named.rest, named.path)
  const namespace = given.text('namespace')
  const everywhere =
    command.flags.some(({ name }) => name === 'all-namespaces') && given.on('all-namespaces')
  return argumentsOf(
    session,
    command,
    args,
    typed,
    everywhere ? undefined : namespace || currentNamespace(session),
  )
}

function currentNamespace({ options: { contexts } }: Session): string {
  return contexts.list().find(({ name }) => name === contexts.current())?.namespace || 'default'
}

const flagsOf = (command: Command): Flag[] =>
  [...command.flags, ...GLOBAL_FLAGS].filter(({ unavailable }) => unavailable === undefined)

/** The flag that needs a value: `-n ‸` */
function waitingFlag(command: Command, words: readonly string[]): Flag | undefined {
  const last = words.at(-1)
  if (last === undefined || !last.startsWith('-') || last.includes('=')) return undefined
  const flag = flagsOf(command).find(
    ({ name, short }) =>
      last === `--${name}` ||
      (short !== undefined && new RegExp(`^-[a-zA-Z]*${short}$`).test(last)),
  )
  return flag === undefined || flag.type === 'on' || flag.bare !== undefined ? undefined : flag
}

async function flags(session: Session, command: Command, typed: string): Promise<Offers> {
  const [, name, value] = /^--([^=]+)=(.*)$/.exec(typed) ?? []
  if (name !== undefined && value !== undefined) {
    const flag = flagsOf(command).find((one) => one.name === name)
    return flag === undefined
      ? { words: [] }
      : { part: value, ...(await valuesOf(session, flag, value)) }
  }
  return {
    words: flagsOf(command).map(
      (flag) => `--${flag.name}${flag.type === 'on' || flag.bare !== undefined ? '' : '='}`,
    ),
  }
}

async function valuesOf(session: Session, { values }: Flag, typed: string): Promise<Offers> {
  // Completes the last item of a list.
  const part = typed.slice(typed.lastIndexOf(',') + 1)
  if (values === 'namespaces')
    return {
      words: await names(session, await session.discovery.find('namespaces'), undefined),
      part,
    }
  if (values === 'files') return { words: session.options.host.fileNames(), part }
  if (values === 'contexts')
    return { words: session.options.contexts.list().map(({ name }) => name), part }
  return { words: values ?? [], part }
}

async function argumentsOf(
  session: Session,
  command: Command,
  args: readonly string[],
  typed: string,
  namespace: string | undefined,
): Promise<Offers> {
  const [first] = args
  const own = first === undefined ? (command.words ?? []) : []
  switch (command.completes) {
    case 'contexts':
      return { words: session.options.contexts.list().map(({ name }) => name) }
    case 'commands':
      return { words: COMMANDS.map(({ name }) => name) }
    case 'fields':
      return first === undefined ? fields(session, typed) : { words: [] }
    case 'pods':
    case 'nodes':
      return {
        words: await names(session, await session.discovery.find(command.completes), namespace),
      }
    case 'objects': {
      const slash = typed.indexOf('/')
      if (slash > 0) {
        const resource = await session.discovery.find(typed.slice(0, slash))
        return { words: await names(session, resource, namespace), part: typed.slice(slash + 1) }
      }
      if (first !== undefined && !first.includes('/')) {
        return { words: await names(session, await session.discovery.find(first), namespace) }
      }
      return types(session, typed, own)
    }
    case 'types':
      return first === undefined ? types(session, typed, own) : { words: [] }
    default:
      return { words: own }
  }
}

async function types(
  { discovery }: Session,
  typed: string,
  own: readonly string[],
): Promise<Offers> {
  const resources = (await discovery.resources()).filter(
    ({ preferred, verbs }) => preferred && verbs.includes('list'),
  )
  const counts = new Map<string, number>()
  for (const { resource } of resources) counts.set(resource, (counts.get(resource) ?? 0) + 1)
  // Types of one name differ by group.
  const words = resources.map(({ resource, group }) =>
    group !== '' && (counts.get(resource) ?? 0) > 1 ? `${resource}.${group}` : resource,
  )
  return { words: [...own, ...words], part: typed.slice(typed.lastIndexOf(',') + 1) }
}

async function names(
  session: Session,
  resource: ServedResource,
  namespace: string | undefined,
): Promise<string[]> {
  const client = session.client(new AbortController().signal, undefined, () => undefined)
  const list = await client.get(
    pathWith(pathOf(resource, namespace), { limit: String(MOST_NAMES) }),
    METADATA,
  )
  return (Array.isArray(list.items) ? list.items : []).flatMap((item) =>
    isJsonObject(item) && isJsonObject(item.metadata) ? [String(item.metadata.name)] : [],
  )
}

const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json'

/** `deployment.spec.str‸`: the fields of the type at that path. */
async function fields(session: Session, typed: string): Promise<Offers> {
  const dot = typed.lastIndexOf('.')
  if (dot < 0) return types(session, typed, [])
  const { resource, fields: path } = await typeAndFields(session, typed.slice(0, dot))
  const client = session.client(new AbortController().signal, undefined, () => undefined)
  const words = await fieldNames(client, resource, path)
  return { words, part: typed.slice(dot + 1) }
}
