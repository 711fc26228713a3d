/**
 * Writes the ConfigMap kube-root-ca.crt to each namespace. Recorded from kube-controller-manager
 * 1.31.
 */
import type { ConfigMap, Namespace } from 'kubernetes-types/core/v1'
import { draftOf, equalJson } from '../core/object'
import { authorityOf } from './certificates/authority'
import { alreadyExists, inTerminatingNamespace } from './runtime/client'
import type { Controller } from './runtime/manager'

const NAME = 'kube-root-ca.crt'
const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'

export const rootCertificates: Controller = {
  name: 'root-ca-certificate-publisher-controller',
  run(manager) {
    const namespaces = manager.informer<Namespace>('', 'namespaces')
    const maps = manager.informer<ConfigMap>('', 'configmaps')
    const client = manager.client('root-ca-cert-publisher')
    const annotations = { 'kubernetes.io/description': DESCRIPTION }
    const queue = manager.queue('root-ca-certificate-publisher-controller', async (namespace) => {
      if (namespaces.get(namespace)?.status?.phase !== 'Active') return
      const data = { 'ca.crt': (await authorityOf(manager.engine)?.certificate()) ?? '' }
      const present = maps.get(`${namespace}/${NAME}`)
      try {
        if (present === undefined)
          await client.create({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: NAME, namespace, annotations },
            data,
          })
        else if (
          !equalJson(present.data, data) ||
          !present.metadata.annotations?.['kubernetes.io/description']
        ) {
          const draft = draftOf(present)
          draft.metadata.annotations = { ...draft.metadata.annotations, ...annotations }
          await client.update({ ...draft, data })
        }
      } catch (error) {
        if (!alreadyExists(error) && !inTerminatingNamespace(error)) throw error
      }
    })
    namespaces.onChange(({ type, key }) => type !== 'DELETED' && queue.add(key))
    maps.onChange(
      ({ object: { metadata } }) => metadata.name === NAME && queue.add(metadata.namespace ?? ''),
    )
  },
}
