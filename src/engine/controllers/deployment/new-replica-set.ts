import type { Deployment } from 'kubernetes-types/apps/v1'
import type { PodTemplateSpec } from 'kubernetes-types/core/v1'
import type { Stored } from '../runtime/stored'
import { controllerReference } from '../shared/ownership'
import { templateHash } from '../shared/template-hash'
import { HASH_LABEL, setAnnotations } from './revisions'

export function newReplicaSet(deployment: Stored<Deployment>, revision: bigint, size: number) {
  const { metadata, spec } = deployment
  const hash = templateHash(spec?.template, deployment.status?.collisionCount)
  const template: PodTemplateSpec = {
    ...spec?.template,
    metadata: {
      ...spec?.template.metadata,
      labels: { ...spec?.template.metadata?.labels, [HASH_LABEL]: hash },
    },
  }
  const selector = {
    ...spec?.selector,
    matchLabels: { ...spec?.selector.matchLabels, [HASH_LABEL]: hash },
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name}-${hash}`,
      namespace: metadata.namespace ?? '',
      labels: template.metadata?.labels,
      annotations: setAnnotations(deployment, undefined, revision),
      ownerReferences: [controllerReference(deployment)],
    },
    spec: { replicas: size, minReadySeconds: spec?.minReadySeconds ?? 0, selector, template },
  }
}
