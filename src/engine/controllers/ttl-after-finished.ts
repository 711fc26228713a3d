import type { Job } from 'kubernetes-types/batch/v1'
import { conditionOf } from './job/conclusions'
import { isConflict } from './runtime/client'
import type { Controller } from './runtime/manager'

const NAME = 'ttl-after-finished-controller'

export const ttlAfterFinished: Controller = {
  name: NAME,
  run(manager) {
    const jobs = manager.informer<Job>('batch', 'jobs')
    const client = manager.client(NAME)
    const queue = manager.queue(NAME, async (key) => {
      const job = jobs.get(key)
      const ended = job && (conditionOf(job, 'Complete') ?? conditionOf(job, 'Failed'))
      const seconds = job?.spec?.ttlSecondsAfterFinished
      if (
        job === undefined ||
        ended === undefined ||
        seconds === undefined ||
        job.metadata.deletionTimestamp
      )
        return
      const left = Date.parse(ended.lastTransitionTime ?? '') + seconds * 1000 - manager.now()
      if (left > 0) {
        queue.addAfter(key, left)
        return
      }
      const { uid, resourceVersion } = job.metadata
      try {
        await client.delete(job, {
          propagationPolicy: 'Foreground',
          preconditions: { uid, resourceVersion },
        })
      } catch (error) {
        if (!isConflict(error)) throw error
      }
    })
    jobs.onChange(
      ({ type, key, object }) =>
        type !== 'DELETED' && object.spec?.ttlSecondsAfterFinished !== undefined && queue.add(key),
    )
  },
}
