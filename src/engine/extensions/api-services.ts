/** An APIService for every version of custom resources that is served, as the real server registers them by itself. */
import type { Engine } from '../engine'
import type { KubeObject } from '../object'
import type { Definition } from '../registry/apiextensions/definition'
import { createOwn, deleteOwn } from '../registry/server-writes'

const PREFIX = '/registry/apiregistration.k8s.io/apiservices/'
const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged'
const PRIORITIES = { groupPriorityMinimum: 1000, versionPriority: 100 }

/**
 * Registers the versions that the definition serves, and takes back those that no definition does any more.
 * @param all the definitions that there are; the given one may be gone
 */
export async function registerVersions(engine: Engine, { spec }: Definition, all: Iterable<Definition>): Promise<void> {
  const { group } = spec
  const resource = engine.resources.find('apiregistration.k8s.io', 'v1', 'apiservices')
  if (resource === undefined) return
  const served = new Set([...all].filter((other) => other.spec.group === group).flatMap(servedVersions))
  for (const version of new Set([...spec.versions.map(({ name }) => name), ...served])) {
    const stored = (await engine.storage.get(`${PREFIX}${version}.${group}`))?.object
    if (served.has(version) && stored === undefined) await createOwn(engine, serviceOf(group, version))
    if (!served.has(version) && stored?.metadata.labels?.[AUTOMANAGED] === 'true') await deleteOwn(engine, resource, stored)
  }
}

const servedVersions = ({ spec }: Definition): string[] => spec.versions.flatMap(({ name, served }) => (served ? [name] : []))

function serviceOf(group: string, version: string): KubeObject {
  const metadata = { name: `${version}.${group}`, labels: { [AUTOMANAGED]: 'true' } }
  return { kind: 'APIService', apiVersion: 'apiregistration.k8s.io/v1', metadata, spec: { group, version, ...PRIORITIES } }
}
