import type { DaemonSet } from 'kubernetes-types/apps/v1'
import type { Node, Pod } from 'kubernetes-types/core/v1'
import { equalJson } from '../../core/object'
import { matchesLabels } from '../../selectors/labels'
import type { Controller } from '../runtime/manager'
import { keyOf } from '../runtime/stored'
import { controllerOf } from '../shared/ownership'
import type { Revision } from '../shared/revisions'
import { requirementsOf } from '../shared/selectors'
import { Backoff } from './backoff'
import { type Context, DaemonSetControl } from './daemon-set-control'

const NAME = 'daemonset-controller'

export const daemonSets: Controller = {
  name: NAME,
  run(manager) {
    const client = manager.client('daemon-set-controller')
    const context: Context = {
      manager,
      client,
      recorder: manager.recorder(client, NAME),
      sets: manager.informer<DaemonSet>('apps', 'daemonsets'),
      pods: manager.informer<Pod>('', 'pods'),
      nodes: manager.informer<Node>('', 'nodes'),
      revisions: manager.informer<Revision>('apps', 'controllerrevisions'),
      backoff: new Backoff(),
    }
    const queue = manager.queue(NAME, async (key) => {
      const set = context.sets.get(key)
      const again = set && (await new DaemonSetControl(context, set).run())
      if (again !== undefined) queue.addAfter(key, again)
    })
    context.sets.onChange(({ type, key }) => type !== 'DELETED' && queue.add(key))
    context.nodes.onChange(({ object, previous }) => {
      if (
        previous &&
        equalJson(object.metadata.labels, previous.metadata.labels) &&
        equalJson(object.spec, previous.spec)
      )
        return
      for (const set of context.sets.list()) queue.add(keyOf(set))
    })
    for (const informer of [context.pods, context.revisions]) {
      informer.onChange(({ type, object, previous }) => {
        for (const own of [object, previous]) {
          const owner = own && controllerOf(own)
          if (owner?.kind === 'DaemonSet') queue.add(`${object.metadata.namespace}/${owner.name}`)
        }
        if (type === 'DELETED' || controllerOf(object) !== undefined) return
        for (const set of context.sets.list(object.metadata.namespace)) {
          const selector = requirementsOf(set.spec?.selector)
          if (selector?.length && matchesLabels(selector, object.metadata.labels))
            queue.add(keyOf(set))
        }
      })
    }
  },
}
