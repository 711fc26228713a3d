/** The objects that a fresh server has by itself: namespaces, roles and bindings, flow schemas, priority classes, local API services … */
import type { Engine } from '../engine'
import { randomUuid, timestamp } from '../environment'
import { BOOTSTRAP_OBJECTS } from '../facts/bootstrap-objects'
import type { KubeObject } from '../object'
import { canonicalize } from '../schema/canonical'
import { type Resource, storageKey } from './resource'

/** Creates what is missing, in the order in which a real server does. What is there stays as it is. */
export async function ensureBootstrapObjects(engine: Engine): Promise<void> {
  const wanted = Object.entries(BOOTSTRAP_OBJECTS).flatMap(([path, objects]) => {
    const resource = resourceOfPath(engine, path)
    return resource ? (objects as Recorded[]).map((object) => ({ resource, object, order: Number(object.metadata.resourceVersion) })) : []
  })
  wanted.sort((a, b) => a.order - b.order)
  // Beside each other, so that a durable store takes them all in one commit: the order of the revisions stays.
  await Promise.all(wanted.map(({ resource, object }) => ensure(engine, resource, object)))
}

function resourceOfPath(engine: Engine, path: string): Resource | undefined {
  const parts = path.split('/')
  return parts[0] === 'api'
    ? engine.resources.find('', parts[1] as string, parts[2] as string)
    : engine.resources.find(parts[1] as string, parts[2] as string, parts[3] as string)
}

type Recorded = Pick<KubeObject, 'metadata'> & Record<string, unknown>

async function ensure(engine: Engine, resource: Resource, recorded: Recorded): Promise<void> {
  const { name = '', namespace = '' } = recorded.metadata
  const key = storageKey(resource, namespace, name)
  if ((await engine.storage.get(key)) !== undefined) return
  const object = canonicalize(resource.type, fresh(engine, resource, recorded))
  await engine.storage.transaction([{ key, revision: 0 }], [{ type: 'put', key, object }])
}

/** The recorded object with an identity and times of this server. */
function fresh(engine: Engine, resource: Resource, recorded: Recorded): KubeObject {
  const now = timestamp(engine.clock.now())
  const copy = JSON.parse(JSON.stringify(recorded), (key, value) =>
    /(?:T|t)ime(?:stamp)?$/.test(key) && typeof value === 'string' ? now : value,
  ) as typeof recorded
  return {
    ...copy,
    kind: resource.kind,
    apiVersion: resource.apiVersion,
    metadata: { ...copy.metadata, uid: randomUuid(engine.random), resourceVersion: '0', creationTimestamp: now },
  }
}
