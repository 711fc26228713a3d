/**
 * Gives every namespace its `default` service account, and gives it again when it was deleted: without one no pod is let in
 * (the real one is called serviceaccount-controller; recorded).
 */
import type { Engine } from '../engine'
import type { KubeObject } from '../object'
import { createOwn } from '../registry/server-writes'
import { type Controller, follow } from './controller'

const NAMESPACES = '/registry/namespaces/'
const ACCOUNTS = '/registry/serviceaccounts/'
const NAME = 'default'

export const serviceAccounts: Controller = {
  name: 'serviceaccount-controller',
  run(engine) {
    const stops = [
      follow(engine, NAMESPACES, ({ type, current }) => {
        if (type !== 'DELETED') void ensureAccount(engine, current.object)
      }),
      follow(engine, ACCOUNTS, ({ type, current: { object } }) => {
        if (type === 'DELETED' && object.metadata.name === NAME) void recreate(engine, object.metadata.namespace ?? '')
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  },
}

async function recreate(engine: Engine, namespace: string): Promise<void> {
  const stored = await engine.storage.get(NAMESPACES + namespace)
  if (stored !== undefined) await ensureAccount(engine, stored.object)
}

async function ensureAccount(engine: Engine, { metadata }: KubeObject): Promise<void> {
  const namespace = metadata.name ?? ''
  if (metadata.deletionTimestamp || (await engine.storage.get(`${ACCOUNTS}${namespace}/${NAME}`)) !== undefined) return
  try {
    await createOwn(engine, { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: NAME, namespace } })
  } catch (error) {
    // Next time: the namespace may have begun to go meanwhile.
    engine.log.error(`no service account for the namespace ${namespace}`, error)
  }
}
