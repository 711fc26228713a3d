import { ApiError, notFound } from '../http/status'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import { type AdmissionEnvironment, readObject } from './environment'
import { newForbidden } from './errors'

export function namespaceAutoProvision(environment: AdmissionEnvironment): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    operations: ['CREATE'],
    async mutate(attributes) {
      if (attributes.dryRun || (await isThere(environment, attributes))) return
      // Forbidden, not invalid. Recorded from kube-apiserver 1.31.
      await environment.createNamespace(attributes.namespace).catch((error) => {
        throw error instanceof ApiError
          ? newForbidden(attributes, error.status.message ?? '')
          : error
      })
    },
  }
}

export function namespaceExists(environment: AdmissionEnvironment): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    async validate(attributes) {
      if (!(await isThere(environment, attributes)))
        throw notFound({ group: '', resource: 'namespaces' }, attributes.namespace)
    },
  }
}

async function isThere(
  environment: AdmissionEnvironment,
  { namespaced, namespace }: AdmissionAttributes,
): Promise<boolean> {
  return (
    !namespaced ||
    namespace === '' ||
    (await readObject(environment, `/registry/namespaces/${namespace}`)) !== undefined
  )
}
