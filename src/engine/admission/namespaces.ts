/** NamespaceAutoProvision and NamespaceExists: a namespace that is missing is made, or missed. */
import { ApiError, notFound } from '../http/status'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import { type AdmissionEnvironment, readObject } from './environment'
import { refused } from './refusal'

export function namespaceAutoProvision(environment: AdmissionEnvironment): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    operations: ['CREATE'],
    async mutate(attributes) {
      if (attributes.dryRun || (await isThere(environment, attributes))) return
      // What is wrong with the namespace is no fault of the object's: it is refused as forbidden (recorded).
      await environment.createNamespace(attributes.namespace).catch((error) => {
        throw error instanceof ApiError ? refused(attributes, error.status.message ?? '') : error
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

/** What is in no namespace misses none. */
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
