/**
 * Admission charges creations; this recomputes after spec changes, deletions and reductions.
 * Client-written status lasts until the resync (`--resource-quota-sync-period`). Recorded from
 * kube-controller-manager 1.31.
 */
import type { ResourceQuota } from 'kubernetes-types/core/v1'
import { type ScopedSpec, scopesOf } from '../admission/quota/scopes'
import { evaluatorOf } from '../admission/quota/usage'
import { draftOf, entryOf, equalJson } from '../core/object'
import { type Resource, storageRange } from '../registry/resource'
import {
  addQuantities,
  canonicalQuantity,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from '../schema/quantity'
import { isNotFound } from './runtime/client'
import type { Controller, Manager } from './runtime/manager'
import { keyOf, type Stored } from './runtime/stored'

const NAME = 'resourcequota-controller'
const RESYNC_MILLISECONDS = 300_000

export const resourceQuotas: Controller = {
  name: NAME,
  run(manager) {
    const started = manager.now()
    const untilResync = () =>
      RESYNC_MILLISECONDS - ((manager.now() - started) % RESYNC_MILLISECONDS)
    const quotas = manager.informer<ResourceQuota>('', 'resourcequotas')
    const client = manager.client(NAME)
    const queue = manager.queue(NAME, async (key) => {
      const quota = quotas.get(key)
      if (quota === undefined) return
      const hard = quota.spec?.hard ?? {}
      const used = await usageOf(manager, quota)
      if (
        equalJson(
          { hard, used },
          { hard: quota.status?.hard ?? {}, used: quota.status?.used ?? {} },
        )
      )
        return
      try {
        await client.update({ ...draftOf(quota), status: { hard, used } }, 'status')
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    })
    quotas.onChange(({ type, key, object, previous }) => {
      if (type === 'DELETED') return
      // An unchanged quota sets no timer, so that cluster time can advance.
      if (previous && equalJson(object.spec, previous.spec)) queue.addAfter(key, untilResync())
      else queue.add(key)
    })
    manager.onEveryChange(({ type, key, current: { object }, previous }) => {
      const { namespace } = object.metadata
      if (namespace === undefined || type === 'ADDED') return
      const present = [...quotas.list(namespace)]
      if (present.length === 0) return
      const resource = [...manager.engine.resources.all()].find(({ prefix }) =>
        key.startsWith(prefix),
      )
      const evaluator = resource && evaluatorFor(resource)
      if (evaluator === undefined) return
      if (
        type === 'MODIFIED' &&
        !(previous && evaluator.frees?.(object, previous.object, manager.now()))
      )
        return
      for (const quota of present)
        if (Object.keys(quota.status?.hard ?? {}).some((entry) => evaluator.counts(entry)))
          queue.add(keyOf(quota))
    })
  },
}

async function usageOf(
  manager: Manager,
  quota: Stored<ResourceQuota>,
): Promise<Record<string, string>> {
  const totals = new Map<string, Quantity>()
  const scopes = scopesOf((quota.spec ?? {}) as ScopedSpec)
  for (const resource of countable(manager)) {
    const evaluator = evaluatorFor(resource)
    const entries = Object.keys(quota.spec?.hard ?? {}).filter((entry) => evaluator?.counts(entry))
    if (evaluator === undefined || entries.length === 0) continue
    for (const entry of entries) if (!totals.has(entry)) totals.set(entry, parseQuantity('0'))
    const { items } = await manager.engine.storage.range(
      storageRange(resource, quota.metadata.namespace ?? ''),
    )
    for (const { object } of items) {
      if (!scopes.every((scope) => evaluator.matchesScope(object, scope))) continue
      const usage = evaluator.usage(object, manager.now())
      for (const entry of entries) {
        const amount = entryOf(usage, entry)
        const before = totals.get(entry)
        if (amount !== undefined && before)
          totals.set(
            entry,
            before.mantissa === 0n
              ? parseQuantity(amount)
              : addQuantities(before, parseQuantity(amount)),
          )
      }
    }
  }
  return Object.fromEntries(
    [...totals].map(([entry, total]) => [entry, canonicalQuantity(formatQuantity(total))]),
  )
}

function evaluatorFor({ group, resource }: Resource) {
  return evaluatorOf(group === '' ? resource : `${resource}.${group}`)
}

function countable(manager: Manager): Resource[] {
  const found = new Map<string, Resource>()
  for (const resource of manager.engine.resources.all()) {
    if (resource.namespaced && resource.verbs.includes('list') && !found.has(resource.prefix))
      found.set(resource.prefix, resource)
  }
  return [...found.values()]
}
