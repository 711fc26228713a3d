import type { Job } from 'kubernetes-types/batch/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import { matchesLabels } from '../../selectors/labels'
import { isNotFound } from '../runtime/client'
import type { Controller } from '../runtime/manager'
import { keyOf, type Stored } from '../runtime/stored'
import { controllerOf } from '../shared/ownership'
import { requirementsOf } from '../shared/selectors'
import { isFinished } from './conclusions'
import { Backoff } from './failures'
import { isTracked, TRACKING } from './pods'
import { type Context, JobSync } from './sync'

const NAME = 'job-controller'
const BATCH_MILLISECONDS = 1000

export const jobs: Controller = {
  name: NAME,
  run(manager) {
    const client = manager.client(NAME)
    const context: Context = {
      manager,
      client,
      recorder: manager.recorder(client, NAME),
      jobs: manager.informer<Job>('batch', 'jobs'),
      pods: manager.informer<Pod>('', 'pods'),
      backoff: new Backoff(),
    }
    const ofJob = context.pods.groupedBy((pod) =>
      isTracked(pod) ? controllerOf(pod)?.uid : undefined,
    )
    const queue = manager.queue(NAME, async (key) => {
      const job = context.jobs.get(key)
      if (job === undefined) return context.backoff.delete(key)
      const again = await new JobSync(context, job).run()
      if (again !== undefined) queue.addAfter(key, again)
    })
    /** Removes the tracking finalizer of pods whose Job is deleted or finished. */
    const orphans = manager.queue(`${NAME} orphans`, async (key) => {
      const pod = context.pods.get(key)
      if (pod === undefined || !isTracked(pod)) return
      const owner = controllerOf(pod)
      const job = owner && context.jobs.get(`${pod.metadata.namespace}/${owner.name}`)
      if (job && job.metadata.uid === owner?.uid && !isFinished(job)) return
      const left = (pod.metadata.finalizers ?? []).filter((finalizer) => finalizer !== TRACKING)
      try {
        await client.merge(pod, { metadata: { finalizers: left.length > 0 ? left : null } })
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    })
    context.jobs.onChange(({ type, key, object, previous }) => {
      if (type === 'DELETED')
        for (const pod of ofJob.of(object.metadata.uid ?? '')) orphans.add(keyOf(pod))
      else if (
        previous?.metadata.generation === object.metadata.generation &&
        !object.metadata.deletionTimestamp
      )
        queue.addAfter(key, BATCH_MILLISECONDS)
      else queue.add(key)
    })
    context.pods.onChange(({ type, key, object, previous }) => {
      for (const pod of [object, previous]) {
        const owner = pod && controllerOf(pod)
        if (owner?.kind === 'Job')
          queue.addAfter(`${object.metadata.namespace}/${owner.name}`, BATCH_MILLISECONDS)
      }
      if (type === 'DELETED') return
      const owner = controllerOf(object)
      if (
        isTracked(object) &&
        (owner === undefined || (owner.kind === 'Job' && lacksJob(object, owner)))
      )
        orphans.add(key)
      if (owner !== undefined) return
      for (const job of context.jobs.list(object.metadata.namespace)) {
        const selector = requirementsOf(job.spec?.selector)
        if (selector?.length && matchesLabels(selector, object.metadata.labels))
          queue.addAfter(keyOf(job), BATCH_MILLISECONDS)
      }
    })

    function lacksJob(pod: Stored<Pod>, { name, uid }: { name: string; uid: string }): boolean {
      const job = context.jobs.get(`${pod.metadata.namespace}/${name}`)
      return job === undefined || job.metadata.uid !== uid || isFinished(job)
    }
  },
}
