import type { ReleaseTables } from '../release-tables/tables'

const API = 'k8s.io.api.'

/** Go packages of k8s.io/api whose types other schemes register. */
const OF_OTHER_SCHEMES = new Set(['admission', 'apidiscovery', 'imagepolicy'])

/**
 * Returns the group versions in the scheme of kube-apiserver's own groups, sorted: those with
 * Protobuf messages, whether they are served or not.
 */
export function registeredVersions(tables: ReleaseTables): { group: string; version: string }[] {
  const groups = groupsByPackage(tables)
  const found = new Map<string, { group: string; version: string }>()
  for (const message of Object.keys(tables.table('protobuf'))) {
    if (!message.startsWith(API)) continue
    const [name = '', version = ''] = message.slice(API.length).split('.')
    const group = groups.get(name) ?? name
    if (!OF_OTHER_SCHEMES.has(name)) found.set(`${group}/${version}`, { group, version })
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, named]) => named)
}

/** Groups that are no longer served, such as `extensions`, are named as their packages. */
function groupsByPackage(tables: ReleaseTables): Map<string, string> {
  const groups = new Map([
    ['core', ''],
    ['apiserverinternal', 'internal.apiserver.k8s.io'],
  ])
  const served = tables.table('discoveryAll').map(({ metadata }) => metadata.name ?? '')
  // Has groups of disabled feature gates too.
  const annotated = Object.keys(tables.table('lifecycle')).map((text) => text.split('/')[0] ?? '')
  for (const name of [...served, ...annotated])
    if (name.includes('.')) groups.set(name.split('.')[0] as string, name)
  return groups
}
