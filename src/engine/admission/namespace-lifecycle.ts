/** Rejects creation in missing and terminating namespaces, and deletion of system namespaces. */

import { chain, type MaybePromise } from '../core/maybe-promise'
import type { KubeObject } from '../core/object'
import { notFound } from '../http/status'
import { changesOf } from '../release-tables/changes'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import { type AdmissionEnvironment, readObject } from './environment'
import { newForbidden } from './errors'

const PROTECTED = new Set(['default', 'kube-system', 'kube-public'])
/** Not stored in the namespace that they name. */
const REVIEWS = new Set(['localsubjectaccessreviews'])

export function namespaceLifecycle(environment: AdmissionEnvironment): AdmissionPlugin {
  const checksUpdates = !changesOf(environment.release).has('NamespacesCheckedOnCreate')
  return {
    name: 'NamespaceLifecycle',
    operations: checksUpdates ? ['CREATE', 'UPDATE', 'DELETE'] : ['CREATE', 'DELETE'],
    mutate(attributes) {
      if (attributes.operation === 'DELETE') return checkDelete(attributes)
      return checkWrite(environment, attributes)
    },
  }
}

function checkDelete(attributes: AdmissionAttributes): void {
  if (attributes.resource !== 'namespaces' || attributes.group !== '') return
  if (PROTECTED.has(attributes.name))
    throw newForbidden(attributes, 'this namespace may not be deleted')
}

/** Until Kubernetes 1.36, objects in a deleted namespace can only be deleted. */
function checkWrite(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
): MaybePromise<void> {
  const { namespaced, namespace, resource } = attributes
  if (!namespaced || namespace === '' || REVIEWS.has(resource)) return
  return chain(readObject(environment, `/registry/namespaces/${namespace}`), (stored) =>
    checkNamespace(attributes, stored),
  )
}

function checkNamespace(attributes: AdmissionAttributes, stored: KubeObject | undefined): void {
  const { namespace, operation } = attributes
  if (stored === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace)
  if (operation !== 'CREATE' || !stored.metadata.deletionTimestamp) return
  const error = newForbidden(
    attributes,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  )
  error.status.details = {
    ...error.status.details,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  }
  throw error
}
