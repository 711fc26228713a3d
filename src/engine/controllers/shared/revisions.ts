import type { ControllerRevision } from 'kubernetes-types/apps/v1'
import type { PodTemplateSpec } from 'kubernetes-types/core/v1'
import { largest } from '../../core/lists'
import type { Json, JsonObject, KubeObject } from '../../core/object'
import { sortedDeep } from '../../schema/canonical'
import type { Stored } from '../runtime/stored'
import { controllerReference } from './ownership'
import { canonicalText } from './template-hash'

export type Revision = Stored<ControllerRevision>

/** A sorted patch that restores the template (kube-controller-manager 1.31). */
export const revisionData = (template: PodTemplateSpec | undefined): JsonObject =>
  sortedDeep({
    spec: { template: { ...(template as JsonObject | undefined), $patch: 'replace' } },
  }) as JsonObject

export function sameData(revisions: Revision[], template: PodTemplateSpec | undefined): Revision[] {
  const wanted = canonicalText(revisionData(template))
  return revisions.filter(({ data }) => canonicalText(data as Json) === wanted)
}

export const inOrder = (revisions: Revision[]): Revision[] =>
  [...revisions].sort(
    (a, b) =>
      a.revision - b.revision || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1),
  )

export const nextRevision = (revisions: Revision[]): number =>
  largest(
    revisions.map(({ revision }) => revision),
    0,
  ) + 1

export interface NewRevision {
  owner: KubeObject
  template: PodTemplateSpec | undefined
  revision: number
  hash: string
  hashLabel: string
}

export function newRevision({ owner, template, revision, hash, hashLabel }: NewRevision) {
  const { name, namespace, annotations } = owner.metadata
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      namespace: namespace ?? '',
      labels: { ...template?.metadata?.labels, [hashLabel]: hash },
      ...(annotations && { annotations: { ...annotations } }),
      ownerReferences: [controllerReference(owner)],
    },
    data: revisionData(template),
    revision,
  }
}

export function templateOf({ data }: Pick<ControllerRevision, 'data'>): PodTemplateSpec {
  const { spec } = data as { spec?: { template?: PodTemplateSpec & { $patch?: string } } }
  const { $patch: _, ...template } = spec?.template ?? { spec: { containers: [] } }
  return template
}
