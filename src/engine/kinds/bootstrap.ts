import { reconciledBinding, reconciledRole } from '../authorization/rbac/reconcile'
import { RBAC_GROUP } from '../authorization/rbac/role-index'
import { randomUuid, timestamp } from '../core/environment'
import {
  entryOf,
  equalJson,
  type JsonObject,
  type KubeObject,
  type ObjectMeta,
  parseApiVersion,
} from '../core/object'
import { DAY, MICRO_MOMENT, MOMENT } from '../generated/bootstrap-objects'
import type { Engine } from '../registry/engine'
import { type Resource, storageKey } from '../registry/resource'
import { changeOwn, createOwn, deleteOwn } from '../registry/server-writes'
import { addressAt } from '../validation/addresses'
import { isStale, localServices } from './apiregistration/local-services'

interface Wanted {
  path: string
  object: KubeObject
}

/** This server publishes its own (controllers/cluster-authentication-trust.ts). */
const RECORDED_AUTHORITIES = 'extension-apiserver-authentication'

const OWN_SERVICE = 'api/v1/services'
const SERVICES = 'apis/apiregistration.k8s.io/v1/apiservices'

/**
 * @param roles also creates roles and bindings, which only RBAC needs
 * @returns those that exist, but differ
 */
export async function ensureBootstrapObjects(engine: Engine, roles: boolean): Promise<Changed[]> {
  const now = timestamp(engine.clock.now())
  const precisely = `${new Date(engine.clock.now()).toISOString().slice(0, -1)}000Z`
  const text = engine.tables
    .bootstrapText()
    .replaceAll(MICRO_MOMENT, precisely)
    .replaceAll(MOMENT, now)
    .replaceAll(DAY, now.slice(0, 10))
  const fresh = (JSON.parse(text) as Wanted[]).filter(
    ({ object }) => object.metadata.name !== RECORDED_AUTHORITIES,
  )
  for (const { path, object } of fresh)
    if (path === OWN_SERVICE) giveFirstAddress(object, engine.serviceRanges)
  for (const { object } of fresh) dropGatedRules(engine.featureGates, object)
  const wanted = roles ? fresh : fresh.filter(({ path }) => !path.startsWith(`apis/${RBAC_GROUP}/`))
  const isService = ({ path }: Wanted) => path === SERVICES
  const serves = (group: string, version: string) => engine.resources.hasVersion(group, version)
  const services = localServices(
    wanted.filter(isService).map(({ object }) => object),
    serves,
    engine.release.own?.versions,
  )
  const all = [
    ...services.map((object) => ({ path: SERVICES, object })),
    ...wanted.filter((one) => !isService(one)),
  ]
  // Concurrently: a durable store commits once, and revisions keep their order.
  const found = await Promise.all(
    all.map(({ path, object }) => ensure(engine, resourceOfPath(engine, path), object)),
  )
  await removeStaleObjects(engine, serves)
  return found.flatMap((stored, i) => {
    const { path, object } = all[i] as Wanted
    return stored !== undefined && path.startsWith(`apis/${RBAC_GROUP}/`) && differs(stored, object)
      ? [{ stored, wanted: object }]
      : []
  })
}

/** Rules behind feature gates. Compared with kube-apiserver 1.31. */
const GATED_RULES = [
  {
    gate: 'StatefulSetAutoDeletePVC',
    role: 'system:controller:statefulset-controller',
    rules: ['persistentvolumeclaims delete,update', 'pods/finalizers update'],
  },
]

function dropGatedRules(gates: Engine['featureGates'], object: KubeObject): void {
  for (const { gate, role, rules } of GATED_RULES) {
    if (
      object.metadata.name !== role ||
      object.kind !== 'ClusterRole' ||
      entryOf(gates, gate) === true
    )
      continue
    const ruleJson = ({ resources, verbs }: JsonObject) =>
      `${[resources].flat()} ${[...[verbs].flat()].sort()}`
    object.rules = (object.rules as JsonObject[]).filter((rule) => !rules.includes(ruleJson(rule)))
  }
}

function giveFirstAddress(service: KubeObject, [range]: Engine['serviceRanges']): void {
  if (range === undefined) return
  const clusterIP = addressAt(range.text, 1)
  service.spec = {
    ...(service.spec as JsonObject),
    clusterIP,
    clusterIPs: [clusterIP],
    ipFamilies: [range.family],
  }
}

export interface Changed {
  stored: KubeObject
  wanted: KubeObject
}

/** Ignores member order. */
function differs(stored: KubeObject, wanted: KubeObject): boolean {
  const managedPart = ({
    metadata: { labels, annotations },
    rules,
    aggregationRule,
    subjects,
    roleRef,
  }: KubeObject) => ({
    labels,
    annotations,
    // Rules of aggregated roles are computed.
    rules: aggregationRule ? undefined : rules,
    aggregationRule,
    subjects,
    roleRef,
  })
  return !equalJson(managedPart(stored), managedPart(wanted))
}

/** Keeps additions. Skips objects that opt out. */
export async function restoreRoles(engine: Engine, changed: readonly Changed[]): Promise<void> {
  for (const { stored, wanted } of changed) {
    const reconciled =
      'roleRef' in wanted ? reconciledBinding(stored, wanted) : reconciledRole(stored, wanted)
    const { operation, isProtected, object } = reconciled
    if (isProtected || operation === 'none') continue
    if (operation === 'update')
      await changeOwn(engine, stored, (draft) => Object.assign(draft, changeable(object, draft)))
    else {
      const { group, version } = parseApiVersion(stored.apiVersion)
      const resource = engine.resources.byKind(group, version, stored.kind)
      if (resource !== undefined) await deleteOwn(engine, resource, stored)
      await createOwn(engine, { ...wanted, metadata: fresh(wanted.metadata) })
    }
  }
}

const changeable = (
  { metadata: { labels, annotations }, kind: _, apiVersion: __, ...others }: KubeObject,
  draft: KubeObject,
): object => ({
  ...others,
  metadata: {
    ...draft.metadata,
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
  },
})

function fresh({ name = '', namespace, labels, annotations }: ObjectMeta): ObjectMeta {
  return {
    name,
    ...(namespace ? { namespace } : {}),
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
  }
}

/** Registered by another release or configuration. */
async function removeStaleObjects(
  { storage, resources }: Engine,
  serves: (group: string, version: string) => boolean,
): Promise<void> {
  const prefix = resourceOfPath({ resources }, SERVICES)?.prefix
  if (prefix === undefined) return
  const { items } = await storage.range(prefix)
  const spurious = items.filter(({ object }) => isStale(object, serves))
  if (spurious.length === 0) return
  await storage.transaction(
    spurious.map(({ key, revision }) => ({ key, revision })),
    spurious.map(({ key }) => ({ type: 'delete', key })),
  )
}

function resourceOfPath(engine: Pick<Engine, 'resources'>, path: string): Resource | undefined {
  const [root = '', first = '', second = '', third = ''] = path.split('/')
  return root === 'api'
    ? engine.resources.find('', first, second)
    : engine.resources.findInside(first, second, third)
}

/** @param object without identity @returns the existing object */
async function ensure(
  engine: Engine,
  resource: Resource | undefined,
  object: KubeObject,
): Promise<KubeObject | undefined> {
  if (resource === undefined) return undefined
  const { name = '', namespace = '' } = object.metadata
  const key = storageKey(resource, namespace, name)
  const stored = await engine.storage.get(key)
  if (stored !== undefined) return stored.object
  object.metadata.uid = randomUuid(engine.random)
  await engine.storage.transaction([{ key, revision: 0 }], [{ type: 'put', key, object }], {
    provisional: true,
  })
  return undefined
}
