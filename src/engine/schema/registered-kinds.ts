/**
 * Kinds in kube-apiserver's schemes, which determine errors for documents of a wrong kind
 * (recording `wire-bodies`).
 */
import { API_DOMAIN } from '../core/names'
import { apiVersionOf, entryOf } from '../core/object'
import type { ReleaseTables } from '../release-tables/tables'
import { modelOf } from './builtin'
import { goQuote } from './go-text'
import { registeredVersions } from './registered-versions'

export interface NamedKind {
  group: string
  version: string
  kind: string
}

/** In every version of every group. */
export const EVERYWHERE = [
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
  'WatchEvent',
]
/** In any version, even of unknown groups. */
export const UNGROUPED = ['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList']
/** Its fields have other names. */
export const INTERNAL = '__internal'
const OWN_SCHEMES = [`apiextensions.${API_DOMAIN}`, `apiregistration.${API_DOMAIN}`]
/** Go packages that are not named as their group. */
const PACKAGES: Record<string, string> = {
  '': 'core',
  [`events.${API_DOMAIN}`]: 'core',
  [`internal.apiserver.${API_DOMAIN}`]: 'apiserverinternal',
}

const packageOf = (group: string): string =>
  entryOf(PACKAGES, group) ?? (group.split('.')[0] as string)

const schemeOf = (group: string): string => (OWN_SCHEMES.includes(group) ? group : '')

const isCommon = (kind: string): boolean => EVERYWHERE.includes(kind) || UNGROUPED.includes(kind)

function isRegistered({ group, version, kind }: NamedKind, tables: ReleaseTables): boolean {
  const apiVersion = apiVersionOf(group, version)
  if (UNGROUPED.includes(kind)) return true
  const known = entryOf(tables.table('lifecycle'), apiVersion)
  if (known === undefined && !isKnownVersion(group, version, tables)) return false
  if (EVERYWHERE.includes(kind)) return true
  const singular = kind.endsWith('List') ? kind.slice(0, -'List'.length) : kind
  const kinds = known ?? {}
  return (
    Object.hasOwn(kinds, kind) ||
    Object.hasOwn(kinds, singular) ||
    modelOf(tables).byKind(group, version, kind) !== undefined
  )
}

const isKnownVersion = (group: string, version: string, tables: ReleaseTables): boolean =>
  modelOf(tables).byKind(group, version, 'WatchEvent') !== undefined ||
  registeredVersions(tables).some((one) => one.group === group && one.version === version)

/** Has the kinds of all versions. */
function isInternal({ group, version, kind }: NamedKind, tables: ReleaseTables): boolean {
  if (version !== INTERNAL) return false
  const lifecycles = tables.table('lifecycle')
  return Object.keys(lifecycles).some((apiVersion) => {
    const slash = apiVersion.indexOf('/')
    return (
      (slash < 0 ? '' : apiVersion.slice(0, slash)) === group &&
      entryOf(entryOf(lifecycles, apiVersion) ?? {}, kind) !== undefined
    )
  })
}

export function unregistered(
  found: NamedKind,
  expected: NamedKind,
  tables: ReleaseTables,
): string | undefined {
  const readable = schemeOf(found.group) === schemeOf(expected.group) || isCommon(found.kind)
  if (readable && (isRegistered(found, tables) || isInternal(found, tables))) return undefined
  return `no kind ${goQuote(found.kind)} is registered for version ${goQuote(apiVersionOf(found.group, found.version))} in scheme "pkg/runtime/scheme.go:100"`
}

/** Ignores versions and groups. @returns undefined for the expected kind */
export function unconvertible(found: NamedKind, expected: NamedKind): string | undefined {
  if (found.kind === expected.kind) return undefined
  const version = isCommon(found.kind) ? 'v1' : found.version
  return `converting (${version}.${found.kind}) to (${packageOf(expected.group)}.${expected.kind}): unknown conversion`
}

/**
 * A document without a version counts as internal. Recorded from kube-apiserver 1.31.
 * @param kind empty: the expected one
 */
export function internalMisfit(
  kind: string,
  expected: NamedKind,
  tables: ReleaseTables,
): string | undefined {
  if (kind === '' || kind === expected.kind) return undefined
  const { group } = expected
  const home =
    group === '' && UNGROUPED.includes(kind)
      ? 'v1'
      : isInternal({ group, version: INTERNAL, kind }, tables)
        ? packageOf(group)
        : undefined
  if (home === undefined)
    return `no kind ${goQuote(kind)} is registered for the internal version of group ${goQuote(group)} in scheme "pkg/runtime/scheme.go:100"`
  return `converting (${home}.${kind}) to (${packageOf(group)}.${expected.kind}): unknown conversion`
}
