/**
 * Computed on each request. Two components have no address here, so they are unhealthy (recording
 * `core-cluster`).
 */
import { entryOf, type KubeObject } from '../core/object'
import type { ListResult } from '../registry/list'
import { type Selection, selects } from '../registry/selection'
import { canonicalize } from '../schema/canonical'
import { StoredVersion } from '../storage/stored-version'
import type { Exchange } from './exchange'
import { notFound, serverError } from './status'

const unreachable = (port: number): string =>
  `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`

type Health = (exchange: Exchange) => string | undefined

const COMPONENTS: Record<string, Health> = {
  'controller-manager': () => unreachable(10257),
  'etcd-0': ({ engine }) => engine.health?.('etcd'),
  scheduler: () => unreachable(10259),
}

function statusOf(exchange: Exchange, name: string, health: Health): KubeObject {
  const problem = health(exchange)
  const condition = {
    type: 'Healthy',
    status: problem === undefined ? 'True' : 'False',
    message: problem ?? 'ok',
  }
  const object: KubeObject = {
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name },
    conditions: [condition],
  }
  return canonicalize(exchange.resource.type, object)
}

/** @throws ApiError 404, or 500 in early releases */
export function componentStatus(exchange: Exchange): KubeObject {
  const { name } = exchange.info
  const health = entryOf(COMPONENTS, name)
  if (health === undefined)
    throw exchange.engine.tables.changes.has('ComponentStatusNotFound')
      ? notFound({ group: '', resource: 'componentstatus' }, name)
      : serverError(`Component not found: ${name}`)
  return statusOf(exchange, name, health)
}

/** Without resourceVersion. */
export function componentStatuses(exchange: Exchange, selection: Selection): ListResult {
  const objects = Object.entries(COMPONENTS).map(([name, health]) =>
    statusOf(exchange, name, health),
  )
  const chosen = objects.filter((object) => selects(selection, exchange.resource, object))
  return { revision: 0, items: chosen.map((object) => new StoredVersion('', object, 0, 0)) }
}
