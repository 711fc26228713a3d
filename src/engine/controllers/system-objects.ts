/** Recreates deleted system objects, as k8s.io/kubernetes/pkg/controlplane. */

import type { JsonObject, KubeObject } from '../core/object'
import type { Engine } from '../registry/engine'
import { createNamespace, createOwn } from '../registry/server-writes'
import { addressAt } from '../validation/addresses'
import type { Loop } from './controller'

interface Kept {
  prefix: string
  names: readonly string[]
  /** Milliseconds. */
  interval: number
  create(engine: Engine, name: string): Promise<void>
}

const DEFAULT = 'default'

const KEPT: readonly Kept[] = [
  {
    prefix: '/registry/namespaces/',
    names: ['kube-system', 'kube-public', 'kube-node-lease', DEFAULT],
    interval: 60_000,
    create: createNamespace,
  },
  {
    prefix: '/registry/services/specs/default/',
    names: ['kubernetes'],
    interval: 10_000,
    create: createService,
  },
]

async function createService(engine: Engine): Promise<void> {
  const [range] = engine.serviceRanges
  if (range === undefined) return
  const all = JSON.parse(engine.tables.bootstrapText()) as { path: string; object: KubeObject }[]
  const own = all.find(({ path }) => path === 'api/v1/services')?.object
  if (own === undefined) return
  await createNamespace(engine, DEFAULT)
  const { name = '', namespace = DEFAULT, labels = {} } = own.metadata
  const { type, ports, sessionAffinity, ipFamilyPolicy } = own.spec as JsonObject
  const clusterIP = addressAt(range.text, 1)
  const spec = { type, ports, sessionAffinity, ipFamilyPolicy, clusterIP } as JsonObject
  await createOwn(engine, {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name, namespace, labels },
    spec,
  })
}

export const systemObjects: Loop = (engine) => {
  const stops = KEPT.map((kept) => keep(engine, kept))
  return () => {
    for (const stop of stops) stop()
  }
}

function keep(engine: Engine, { prefix, names, interval, create }: Kept): () => void {
  const { clock } = engine
  const begun = clock.now()
  const keys = new Set(names.map((name) => prefix + name))
  let cancel: (() => void) | undefined
  let stopped = false
  const lookLater = () => {
    if (stopped) return
    cancel ??= clock.after(interval - ((clock.now() - begun) % interval), () => {
      cancel = undefined
      look().catch((error: unknown) => {
        engine.log.error(`what is always there under ${prefix} could not be kept`, error)
        lookLater()
      })
    })
  }
  const look = async () => {
    for (const name of names)
      if ((await engine.storage.get(prefix + name)) === undefined) await create(engine, name)
  }
  let stopWatching = () => {}
  // They exist at start, so only deletions matter; `gone` checks again.
  const watch = () => {
    if (stopped) return
    const watcher = engine.storage.watch(prefix, engine.storage.currentRevision(), {
      event: ({ type, current: { key } }) => {
        if (type === 'DELETED' && keys.has(key)) lookLater()
      },
      end: (reason) => {
        if (reason !== 'gone') return
        lookLater()
        queueMicrotask(watch)
      },
    })
    stopWatching = () => watcher.stop()
  }
  watch()
  return () => {
    stopped = true
    cancel?.()
    stopWatching()
  }
}
