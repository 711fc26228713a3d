/** Rollback by annotation, from old API versions (kubernetes.io 1.15, DeploymentRollback). */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1'
import type { PodTemplateSpec } from 'kubernetes-types/core/v1'
import { draftOf } from '../../core/object'
import type { Stored } from '../runtime/stored'
import {
  byRevision,
  HASH_LABEL,
  OWN,
  ROLLBACK,
  revisionIn,
  revisionOf,
  sameTemplate,
} from './revisions'

export interface Rollback {
  deployment: Stored<Deployment>
  event: { type: 'Normal' | 'Warning'; reason: string; message: string }
}

/** @returns 0 for the previous revision; undefined without a request */
export function wantedRevision({ metadata }: Stored<Deployment>): bigint | undefined {
  return revisionIn(metadata.annotations?.[ROLLBACK] ?? '')
}

export function rolledBack(
  given: Stored<Deployment>,
  wanted: bigint,
  sets: readonly Stored<ReplicaSet>[],
): Rollback {
  const deployment = draftOf(given as never) as unknown as Stored<Deployment>
  const { [ROLLBACK]: _, ...annotations } = deployment.metadata.annotations ?? {}
  deployment.metadata.annotations = annotations
  const warning = (reason: string, message: string): Rollback => ({
    deployment,
    event: { type: 'Warning', reason, message },
  })
  const revision =
    wanted === 0n ? ([...sets].sort(byRevision).map(revisionOf).at(-2) ?? 0n) : wanted
  if (revision === 0n)
    return warning('DeploymentRollbackRevisionNotFound', 'Unable to find last revision.')
  const set = sets.find((candidate) => revisionOf(candidate) === revision)
  if (set === undefined)
    return warning(
      'DeploymentRollbackRevisionNotFound',
      'Unable to find the revision to rollback to.',
    )
  const name = JSON.stringify(deployment.metadata.name)
  if (deployment.spec === undefined || sameTemplate(deployment.spec.template, set.spec?.template))
    return warning(
      'DeploymentRollbackTemplateUnchanged',
      `The rollback revision contains the same template as current deployment ${name}`,
    )
  deployment.spec.template = withoutHash(set.spec?.template)
  const inherited = Object.entries(set.metadata.annotations ?? {}).filter(
    ([key]) => !OWN.includes(key),
  )
  const own = Object.entries(annotations).filter(([key]) => OWN.includes(key))
  deployment.metadata.annotations = Object.fromEntries([...own, ...inherited])
  const message = `Rolled back deployment ${name} to revision ${revision}`
  return { deployment, event: { type: 'Normal', reason: 'DeploymentRollback', message } }
}

function withoutHash(template: PodTemplateSpec | undefined): PodTemplateSpec {
  const { [HASH_LABEL]: _, ...labels } = template?.metadata?.labels ?? {}
  return { ...template, metadata: { ...template?.metadata, labels } }
}
