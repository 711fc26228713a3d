/** Removed versions have their successor's paths. */

import { memoizeByIdentity } from '../core/identity-memo'
import { apiVersionOf, entryOf, setMember } from '../core/object'
import { apiOperations, type Operation } from '../generated/operations'
import { BASE_RELEASE } from '../release-tables/minor'
import type { ReleaseTables } from '../release-tables/tables'
import { discoveryOf, recordedTables } from './discovery'
import type { Release } from './release'
import {
  GONE_RESOURCES,
  OWN_SCALE,
  REMOVED_VERSIONS,
  type RemovedVersion,
  WITH_ROLLBACK,
} from './resources'

export type Operations = Record<string, Record<string, Operation>>

const known = new Map<Release, Operations>()

/** By path and lower-case method. */
export function operationsOf(release: Release, own?: ReleaseTables): Operations {
  if (own && (release === BASE_RELEASE || recordedTables(release))) return own.table('operations')
  if (own) return withOwn(own, release)
  if (release === BASE_RELEASE) return apiOperations()
  const tables = recordedTables(release)
  if (tables) return tables.table('operations')
  const found = known.get(release) ?? makeOperations(release)
  known.set(release, found)
  return found
}

/** Of servers with own kinds, whose tables have the operations of the base release. */
const knownWithOwn = memoizeByIdentity((_own: ReleaseTables) => new Map<Release, Operations>())

function withOwn(own: ReleaseTables, release: Release): Operations {
  const made = knownWithOwn(own)
  const found = made.get(release) ?? { ...operationsOf(release), ...addedBy(own) }
  made.set(release, found)
  return found
}

function addedBy(own: ReleaseTables): Operations {
  const base = apiOperations()
  return Object.fromEntries(
    Object.entries(own.table('operations')).filter(([path]) => entryOf(base, path) === undefined),
  )
}

function makeOperations(release: Release): Operations {
  const served = new Set<string>()
  for (const { metadata, versions } of discoveryOf(release).all) {
    const root = metadata.name ? `/apis/${metadata.name}/` : '/api/'
    served.add(root)
    for (const { version, resources } of versions) {
      served.add(`${root}${version}/`)
      for (const { resource } of resources) served.add(`${root}${version}/${resource}`)
    }
  }
  const all: Operations = { ...apiOperations() }
  for (const version of REMOVED_VERSIONS) Object.assign(all, versionOperations(version))
  return Object.fromEntries(
    Object.entries(all).filter(([path]) => !/^\/apis?\/./.test(path) || served.has(placeOf(path))),
  )
}

/**
 * `/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale` belongs to
 * `/apis/apps/v1/deployments`.
 */
function placeOf(path: string): string {
  const [, root, rest = ''] = /^(\/api\/[^/]+\/|\/apis\/[^/]+\/[^/]+\/)(.*)$/.exec(path) ?? []
  if (root === undefined || rest === '') return path
  const [resource = ''] = rest
    .replace(/^watch\//, '')
    .replace(/^namespaces\/\{namespace\}\//, '')
    .split('/')
  return root + resource
}

/** In operation ids: `RbacAuthorizationV1`. */
export function operationWords(group: string, version?: string): string {
  const words = [
    ...group.replace(/\.k8s\.io$/, '').split('.'),
    ...(version === undefined ? [] : [version]),
  ]
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** Resources that no version has now get paths like those of another kind. */
const MODEL = {
  group: 'node.k8s.io',
  version: 'v1',
  resource: 'runtimeclasses',
  kind: 'RuntimeClass',
}

function versionOperations({ group, version, like, resources }: RemovedVersion): Operations {
  const operations: Operations = {}
  const root = `/apis/${group}/${version}/`
  operations[`/apis/${group}/`] = { get: { operationId: `get${operationWords(group)}APIGroup` } }
  setMember(operations, root, {
    get: { operationId: `get${operationWords(group, version)}APIResources` },
  })
  for (const resource of resources) {
    const gone = entryOf(GONE_RESOURCES, resource)
    const model = gone ? MODEL : { ...like, resource, kind: undefined }
    const place = `/apis/${model.group}/${model.version}/`
    for (const [path, methods] of Object.entries(apiOperations())) {
      if (placeOf(path) !== place + model.resource) continue
      const own = root + path.slice(place.length).replace(model.resource, resource)
      setMember(
        operations,
        own,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => {
            const renamed = operation.operationId.replace(
              operationWords(model.group, model.version),
              operationWords(group, version),
            )
            const kind = gone?.responseKind.kind ?? operation.gvk?.kind ?? ''
            const operationId =
              model.kind === undefined ? renamed : renamed.replace(model.kind, kind)
            const isOwn =
              operation.gvk?.group === model.group ||
              (kind === 'Scale' && OWN_SCALE.includes(apiVersionOf(group, version)))
            const gvk = isOwn ? { group, version, kind } : operation.gvk
            return [method, { ...operation, operationId, ...(gvk ? { gvk } : {}) }]
          }),
        ),
      )
    }
    if (resource === 'deployments' && entryOf(WITH_ROLLBACK, apiVersionOf(group, version))) {
      const post: Operation = {
        operationId: `create${operationWords(group, version)}NamespacedDeploymentRollback`,
        action: 'post',
        gvk: { group, version, kind: 'DeploymentRollback' },
      }
      operations[`${root}namespaces/{namespace}/deployments/{name}/rollback`] = { post }
    }
  }
  return operations
}
