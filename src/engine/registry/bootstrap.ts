/** The objects that a fresh server has by itself: namespaces, roles and bindings, flow schemas, priority classes, local API services … */
import { RBAC_GROUP } from '../authorization/rbac/role-index'
import type { Engine } from '../engine'
import { randomUuid, timestamp } from '../environment'
import { BOOTSTRAP_OBJECTS, DAY, MICRO_MOMENT, MOMENT } from '../facts/bootstrap-objects'
import type { KubeObject } from '../object'
import { isLeftOver, localServices } from './apiregistration/local-services'
import { type Resource, storageKey } from './resource'

interface Wanted {
  path: string
  object: KubeObject
}

const SERVICES = 'apis/apiregistration.k8s.io/v1/apiservices'

/**
 * Creates what is missing, in the order in which a real server does. What is there stays as it is.
 * @param roles whether roles and bindings are made too: they are of no use to a server that does not go by them (recorded)
 */
export async function ensureBootstrapObjects(engine: Engine, roles: boolean): Promise<void> {
  const now = timestamp(engine.clock.now())
  const precisely = `${new Date(engine.clock.now()).toISOString().slice(0, -1)}000Z`
  const text = BOOTSTRAP_OBJECTS.replaceAll(MICRO_MOMENT, precisely).replaceAll(MOMENT, now).replaceAll(DAY, now.slice(0, 10))
  const fresh = JSON.parse(text) as Wanted[]
  const wanted = roles ? fresh : fresh.filter(({ path }) => !path.startsWith(`apis/${RBAC_GROUP}/`))
  const isService = ({ path }: Wanted) => path === SERVICES
  const serves = (group: string, version: string) => engine.resources.hasVersion(group, version)
  const services = localServices(
    wanted.filter(isService).map(({ object }) => object),
    serves,
  )
  const all = [...services.map((object) => ({ path: SERVICES, object })), ...wanted.filter((one) => !isService(one))]
  // Beside each other, so that a durable store takes them all in one commit: the order of the revisions stays.
  await Promise.all(all.map(({ path, object }) => ensure(engine, resourceOfPath(engine, path), object)))
  await removeLeftOvers(engine, serves)
}

/** Takes back what a start as another release, or with other versions, registered. */
async function removeLeftOvers({ storage, resources }: Engine, serves: (group: string, version: string) => boolean): Promise<void> {
  const prefix = resourceOfPath({ resources }, SERVICES)?.prefix
  if (prefix === undefined) return
  const { items } = await storage.range(prefix)
  const spurious = items.filter(({ object }) => isLeftOver(object, serves))
  if (spurious.length === 0) return
  await storage.transaction(
    spurious.map(({ key, revision }) => ({ key, revision })),
    spurious.map(({ key }) => ({ type: 'delete', key })),
  )
}

function resourceOfPath(engine: Pick<Engine, 'resources'>, path: string): Resource | undefined {
  const [root = '', first = '', second = '', third = ''] = path.split('/')
  return root === 'api' ? engine.resources.find('', first, second) : engine.resources.findInside(first, second, third)
}

/** @param object canonical, but for its identity */
async function ensure(engine: Engine, resource: Resource | undefined, object: KubeObject): Promise<void> {
  if (resource === undefined) return
  const { name = '', namespace = '' } = object.metadata
  const key = storageKey(resource, namespace, name)
  if ((await engine.storage.get(key)) !== undefined) return
  object.metadata.uid = randomUuid(engine.random)
  await engine.storage.transaction([{ key, revision: 0 }], [{ type: 'put', key, object }], { provisional: true })
}
