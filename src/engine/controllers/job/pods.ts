/** A finalizer ensures that each finished pod is counted. */
import type { Job } from 'kubernetes-types/batch/v1'
import type { Container, Pod } from 'kubernetes-types/core/v1'
import { MAX_GENERATED_PREFIX } from '../../registry/create'
import type { Stored } from '../runtime/stored'
import { podFrom } from '../shared/pods'
import { INDEX, isIndexed } from './indexes'

export const TRACKING = 'batch.kubernetes.io/job-tracking'
const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX'

export const isTracked = ({ metadata }: Stored<Pod>): boolean =>
  metadata.finalizers?.includes(TRACKING) ?? false

/** @param hasLabel the index is also a label @param marks annotations with failure counts */
export function jobPod(
  job: Stored<Job>,
  index: number | undefined,
  hasLabel: boolean,
  marks: Record<string, string> | undefined,
): ReturnType<typeof podFrom> {
  const pod = podFrom(job.spec?.template, job)
  const { metadata } = pod
  metadata.finalizers = [
    ...(metadata.finalizers ?? []).filter((finalizer) => finalizer !== TRACKING),
    TRACKING,
  ]
  if (index === undefined || !isIndexed(job)) return pod
  metadata.generateName = prefixOf(job, index)
  if (hasLabel) metadata.labels = { ...metadata.labels, [INDEX]: String(index) }
  metadata.annotations = { ...metadata.annotations, [INDEX]: String(index), ...marks }
  const spec = pod.spec ?? { containers: [] }
  const source = hasLabel ? 'labels' : 'annotations'
  const withIndex = (container: Container) => withVariable(container, source)
  return {
    ...pod,
    spec: {
      ...spec,
      hostname: `${job.metadata.name}-${index}`,
      containers: spec.containers.map(withIndex),
      ...(spec.initContainers && { initContainers: spec.initContainers.map(withIndex) }),
    },
  }
}

/** Truncates the Job's name, never the index. */
function prefixOf({ metadata }: Stored<Job>, index: number): string {
  const end = `-${index}-`
  return `${(metadata.name ?? '').slice(0, MAX_GENERATED_PREFIX - end.length)}${end}`
}

function withVariable(container: Container, source: 'labels' | 'annotations'): Container {
  if (container.env?.some(({ name }) => name === INDEX_VARIABLE)) return container
  const valueFrom = { fieldRef: { fieldPath: `metadata.${source}['${INDEX}']` } }
  return { ...container, env: [...(container.env ?? []), { name: INDEX_VARIABLE, valueFrom }] }
}
