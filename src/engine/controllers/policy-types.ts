/**
 * Keeps the type warnings in the status of admission policies. Recorded from
 * kube-controller-manager 1.31.
 */
import type { ValidatingAdmissionPolicy } from '../policy/objects'
import { typeWarnings } from '../policy/type-check/check'
import type { Controller } from './runtime/manager'

const GROUP = 'admissionregistration.k8s.io'
const MANAGER = 'validatingadmissionpolicy-status'

export const policyTypes: Controller = {
  name: 'validatingadmissionpolicy-status-controller',
  run(manager) {
    const policies = manager.informer<ValidatingAdmissionPolicy>(
      GROUP,
      'validatingadmissionpolicies',
    )
    const client = manager.client('validatingadmissionpolicy-status-controller')
    const queue = manager.queue('validatingadmissionpolicy-status-controller', async (key) => {
      const policy = policies.get(key)
      const generation = policy?.metadata.generation ?? 0
      if (policy === undefined || generation <= (policy.status?.observedGeneration ?? 0)) return
      const expressionWarnings = typeWarnings(
        policy.spec ?? {},
        manager.engine.resources,
        manager.engine.release.name,
      )
      const typeChecking = expressionWarnings.length > 0 ? { expressionWarnings } : {}
      const { apiVersion, kind, metadata } = policy
      const applied = {
        apiVersion,
        kind,
        metadata: { name: metadata.name ?? '' },
        status: { observedGeneration: generation, typeChecking },
      }
      await client.apply(applied, MANAGER, 'status')
    })
    policies.onChange(({ type, key }) => {
      if (type !== 'DELETED') queue.add(key)
    })
  },
}
