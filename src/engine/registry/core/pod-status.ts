/** What a write to a pod's status must keep to: little (recorded). */
import type { FieldError } from '../../http/status'
import { forbiddenField, invalidValue } from '../field-errors'
import { dnsSubdomainProblems, qualifiedNameProblems } from '../rules/names'
import type { Pod } from './pod-types'

/** Conditions that the system itself writes. */
const OWN_CONDITIONS = new Set(['ContainersReady', 'DisruptionTarget', 'Initialized', 'PodReadyToStartContainers', 'PodScheduled', 'Ready'])

export function podStatusErrors(pod: Pod, old: Pod): FieldError[] {
  const errors: FieldError[] = []
  for (const [i, { type = '' }] of (pod.status?.conditions ?? []).entries()) {
    if (OWN_CONDITIONS.has(type)) continue
    // The path is the real server's.
    errors.push(...qualifiedNameProblems(type).map((problem) => invalidValue(`metadata.conditions[${i}].Type`, type, problem)))
  }
  const nominated = pod.status?.nominatedNodeName ?? ''
  if (nominated !== '' && nominated !== old.status?.nominatedNodeName)
    errors.push(...dnsSubdomainProblems(nominated).map((problem) => invalidValue('status.nominatedNodeName', nominated, problem)))
  return [...errors, ...containerStateErrors(pod, old)]
}

interface ContainerStatus {
  name?: string
  state?: { terminated?: unknown }
}

const STATUS_LISTS = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const

/** A container that has ended in a pod that restarts nothing does not come back. */
function containerStateErrors(pod: Pod, old: Pod): FieldError[] {
  const policy = pod.spec?.restartPolicy
  if (policy === 'Always') return []
  return STATUS_LISTS.flatMap((list) => {
    const statuses = (of: Pod) =>
      ((of.status as Record<string, ContainerStatus[] | undefined> | undefined)?.[list] ?? []) as ContainerStatus[]
    return statuses(old).flatMap((before, i) => {
      const ended = before.state?.terminated as { exitCode?: number } | undefined
      if (!ended || (policy === 'OnFailure' && ended.exitCode !== 0)) return []
      const now = statuses(pod).find(({ name }) => name === before.name)
      const why = 'may not be transitioned to non-terminated state'
      return now && !now.state?.terminated ? [forbiddenField(`status.${list}[${i}].state`, why)] : []
    })
  })
}
