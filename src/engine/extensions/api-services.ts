/** Registers APIServices of custom resources, as kube-apiserver does. */

import { equalJson, type KubeObject } from '../core/object'
import type { Definition } from '../kinds/apiextensions/definition'
import type { Engine } from '../registry/engine'
import { changeOwn, createOwn, deleteOwn } from '../registry/server-writes'

export const API_SERVICES = '/registry/apiregistration.k8s.io/apiservices/'
const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged'
const PRIORITIES = { groupPriorityMinimum: 1000, versionPriority: 100 }

/**
 * Also restores changed ones, and removes those without a definition.
 * @param all the given one may be deleted
 */
export async function registerVersions(
  engine: Engine,
  { spec: { group } }: Definition,
  all: Iterable<Definition>,
): Promise<void> {
  const resource = engine.resources.find('apiregistration.k8s.io', 'v1', 'apiservices')
  if (resource === undefined) return
  const served = new Set(
    [...all].filter((other) => other.spec.group === group).flatMap(servedVersions),
  )
  const services = (await engine.storage.range(API_SERVICES)).items.flatMap(({ object }) =>
    groupOf(object) === group ? [object] : [],
  )
  for (const stored of services.filter(isOwn)) {
    const { version } = stored.spec as { version: string }
    const wanted = serviceOf(group, version)
    if (!served.has(version)) await deleteOwn(engine, resource, stored)
    else if (!equalJson(stored.spec, wanted.spec))
      await changeOwn(engine, stored, (draft) => Object.assign(draft, { spec: wanted.spec }))
  }
  const known = new Set(services.map(({ metadata }) => metadata.name))
  for (const version of served)
    if (!known.has(`${version}.${group}`)) await createOwn(engine, serviceOf(group, version))
}

/** No client has taken it over. */
const isOwn = ({ metadata }: KubeObject): boolean => metadata.labels?.[AUTOMANAGED] === 'true'

const servedVersions = ({ spec }: Definition): string[] =>
  spec.versions.flatMap(({ name, served }) => (served ? [name] : []))

function serviceOf(group: string, version: string): KubeObject {
  const metadata = { name: `${version}.${group}`, labels: { [AUTOMANAGED]: 'true' } }
  return {
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata,
    spec: { group, version, ...PRIORITIES },
  }
}

export const groupOf = ({ spec }: KubeObject): string | undefined =>
  (spec as { group?: string } | undefined)?.group
