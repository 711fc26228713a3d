/**
 * Recorded from kube-controller-manager 1.31.
 * https://kubernetes.io/docs/concepts/workloads/controllers/deployment/
 */

import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import { matchesLabels } from '../../selectors/labels'
import type { Controller } from '../runtime/manager'
import { keyOf } from '../runtime/stored'
import { controllerOf } from '../shared/ownership'
import { requirementsOf } from '../shared/selectors'
import { type Context, Rollout } from './rollout'
import { deadlineOf } from './status'

const NAME = 'deployment-controller'

export const deployments: Controller = {
  name: NAME,
  run(manager) {
    const client = manager.client(NAME)
    const context: Context = {
      manager,
      client,
      recorder: manager.recorder(client, NAME),
      deployments: manager.informer<Deployment>('apps', 'deployments'),
      sets: manager.informer<ReplicaSet>('apps', 'replicasets'),
      pods: manager.informer<Pod>('', 'pods'),
    }
    const queue = manager.queue(NAME, async (key) => {
      const deployment = context.deployments.get(key)
      if (deployment === undefined) return
      await new Rollout(context, deployment).run()
      const deadline = deadlineOf(context.deployments.get(key) ?? deployment)
      // A second late, because condition times have whole seconds.
      if (deadline !== undefined && deadline >= manager.now())
        queue.addAfter(key, deadline - manager.now() + 1000)
    })
    context.deployments.onChange(({ type, key }) => type !== 'DELETED' && queue.add(key))
    context.sets.onChange(({ type, object, previous }) => {
      for (const set of [object, previous]) {
        const owner = set && controllerOf(set)
        if (owner?.kind === 'Deployment') queue.add(`${object.metadata.namespace}/${owner.name}`)
      }
      if (type === 'DELETED' || controllerOf(object) !== undefined) return
      for (const deployment of context.deployments.list(object.metadata.namespace)) {
        const selector = requirementsOf(deployment.spec?.selector)
        if (selector?.length && matchesLabels(selector, object.metadata.labels))
          queue.add(keyOf(deployment))
      }
    })
    // Strategy Recreate waits for this.
    context.pods.onChange(({ type, object }) => {
      const owner = controllerOf(object)
      if (type !== 'DELETED' || owner?.kind !== 'ReplicaSet') return
      const set = context.sets.get(`${object.metadata.namespace}/${owner.name}`)
      const deployment = set && controllerOf(set)
      if (deployment?.kind === 'Deployment')
        queue.add(`${object.metadata.namespace}/${deployment.name}`)
    })
  },
}
