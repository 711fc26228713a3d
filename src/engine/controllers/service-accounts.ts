/**
 * Admission rejects pods without ServiceAccount `default`. Recorded from kube-controller-manager
 * 1.31.
 */
import type { Namespace, ServiceAccount } from 'kubernetes-types/core/v1'
import { alreadyExists, inTerminatingNamespace } from './runtime/client'
import type { Controller } from './runtime/manager'

const NAME = 'default'

export const serviceAccounts: Controller = {
  name: 'serviceaccount-controller',
  run(manager) {
    const namespaces = manager.informer<Namespace>('', 'namespaces')
    const accounts = manager.informer<ServiceAccount>('', 'serviceaccounts')
    const client = manager.client('service-account-controller')
    const queue = manager.queue('serviceaccount-controller', async (namespace) => {
      const { status } = namespaces.get(namespace) ?? {}
      if (status?.phase !== 'Active' || accounts.get(`${namespace}/${NAME}`) !== undefined) return
      try {
        await client.create({
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name: NAME, namespace },
        })
      } catch (error) {
        if (!alreadyExists(error) && !inTerminatingNamespace(error)) throw error
      }
    })
    namespaces.onChange(({ type, key }) => type !== 'DELETED' && queue.add(key))
    accounts.onChange(({ type, object: { metadata } }) => {
      if (type === 'DELETED' && metadata.name === NAME) queue.add(metadata.namespace ?? '')
    })
  },
}
