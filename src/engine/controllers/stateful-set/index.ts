import type { StatefulSet } from 'kubernetes-types/apps/v1'
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import { matchesLabels } from '../../selectors/labels'
import type { Controller } from '../runtime/manager'
import { keyOf, type Stored } from '../runtime/stored'
import { controllerOf } from '../shared/ownership'
import type { Revision } from '../shared/revisions'
import { requirementsOf } from '../shared/selectors'
import { type Context, StatefulSetControl } from './stateful-set-control'

const NAME = 'statefulset-controller'

export const statefulSets: Controller = {
  name: NAME,
  run(manager) {
    const client = manager.client(NAME)
    const context: Context = {
      manager,
      client,
      recorder: manager.recorder(client, NAME),
      sets: manager.informer<StatefulSet>('apps', 'statefulsets'),
      pods: manager.informer<Pod>('', 'pods'),
      claims: manager.informer<PersistentVolumeClaim>('', 'persistentvolumeclaims'),
      revisions: manager.informer<Revision>('apps', 'controllerrevisions'),
    }
    const queue = manager.queue(NAME, async (key) => {
      const set = context.sets.get(key)
      const again = set && (await new StatefulSetControl(context, set).run())
      if (again !== undefined) queue.addAfter(key, again)
    })
    context.sets.onChange(({ type, key }) => type !== 'DELETED' && queue.add(key))
    // A set may wait for the deletion of a former pod's claim; the next sync recreates others
    // (kube-controller-manager 1.31).
    context.claims.onChange(({ type, object: { metadata } }) => {
      if (type !== 'DELETED' || !metadata.ownerReferences?.some(({ kind }) => kind === 'Pod'))
        return
      const isOf = (set: Stored<StatefulSet>, template = '') =>
        metadata.name?.startsWith(`${template}-${set.metadata.name}-`)
      for (const set of context.sets.list(metadata.namespace))
        if (set.spec?.volumeClaimTemplates?.some((template) => isOf(set, template.metadata?.name)))
          queue.add(keyOf(set))
    })
    context.pods.onChange(({ type, object, previous }) => {
      for (const own of [object, previous]) {
        const owner = own && controllerOf(own)
        if (owner?.kind === 'StatefulSet') queue.add(`${object.metadata.namespace}/${owner.name}`)
      }
      if (controllerOf(object) !== undefined) return
      for (const set of context.sets.list(object.metadata.namespace)) {
        const selector = requirementsOf(set.spec?.selector)
        const concerned =
          type === 'DELETED'
            ? object.metadata.name?.startsWith(`${set.metadata.name}-`)
            : selector?.length
        if (concerned && selector && matchesLabels(selector, object.metadata.labels))
          queue.add(keyOf(set))
      }
    })
  },
}
