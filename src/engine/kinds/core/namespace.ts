/**
 * Removal waits for both kinds of finalizers (kubernetes.io, "Namespaces"). Recorded from
 * kube-apiserver 1.31.
 */

import { LABEL } from '../../core/names'
import type { KubeObject } from '../../core/object'
import { conflict } from '../../http/status'
import { type RequestContext, targetOf } from '../../registry/request-context'
import type { Strategy } from '../../registry/strategy'
import { invalidValue } from '../../validation/field-errors'
import { dnsLabel, qualifiedNameProblems } from '../../validation/names'
import { isUnqualifiedFinalizer, UNQUALIFIED_FINALIZER } from '../../validation/object-meta'

const FINALIZER = 'kubernetes'
const ACTIVE = 'Active'
const TERMINATING = 'Terminating'

interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] }
  status?: { phase?: string }
}

const finalizersOf = (object: KubeObject): string[] => (object as Namespace).spec?.finalizers ?? []

/** Another check requires a domain. */
const malformed = (finalizer: string, path: string) =>
  qualifiedNameProblems(finalizer).map((problem) => invalidValue(path, finalizer, problem))

export const namespaceStrategy: Strategy<RequestContext> = {
  nameRule: dnsLabel,
  serverOwned: ['status'],
  waitsUnlessOrphaned: true,
  defaults(object) {
    labelWithName(object)
    const namespace = object as Namespace
    namespace.status ??= {}
    namespace.status.phase ||= ACTIVE
  },
  prepareForCreate(object) {
    const namespace = object as Namespace
    namespace.status = { phase: ACTIVE }
    const finalizers = finalizersOf(namespace)
    namespace.spec = {
      finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER],
    }
  },
  prepareForUpdate(object, old) {
    object.spec = old.spec
    object.status = old.status
  },
  validate: (object) =>
    finalizersOf(object).flatMap((finalizer) => [
      ...malformed(finalizer, 'spec.finalizers'),
      ...(isUnqualifiedFinalizer(finalizer)
        ? [invalidValue('spec.finalizers', finalizer, UNQUALIFIED_FINALIZER)]
        : []),
    ]),
  // A generated name and its label are set after validation.
  canonicalize: labelWithName,
  holdsDeletion: (object) => finalizersOf(object).length > 0,
  beginDeletion(old, { finalizers, now }) {
    if (old.metadata.deletionTimestamp)
      return finalizersOf(old).length > 0 ? 'under way' : undefined
    return {
      ...old,
      metadata: { ...old.metadata, finalizers, deletionTimestamp: now },
      status: { ...(old as Namespace).status, phase: TERMINATING },
    }
  },
  checkPreconditions(context, { metadata }, { uid, resourceVersion }) {
    const failed = (what: string, wanted: string, found: string | undefined) =>
      conflict(
        targetOf(context),
        context.name,
        `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`,
      )
    if (uid !== undefined && uid !== metadata.uid) throw failed('UID', uid, metadata.uid)
    if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion)
      throw failed('ResourceVersion', resourceVersion, metadata.resourceVersion)
  },
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
    validateUpdate(object) {
      const phase = (object as Namespace).status?.phase ?? ''
      const { deletionTimestamp } = object.metadata
      if (deletionTimestamp) {
        return phase === TERMINATING
          ? []
          : [
              invalidValue(
                'status.Phase',
                phase,
                "may only be 'Terminating' if `deletionTimestamp` is not empty",
              ),
            ]
      }
      return phase === ACTIVE
        ? []
        : [
            invalidValue(
              'status.Phase',
              phase,
              "may only be 'Active' if `deletionTimestamp` is empty",
            ),
          ]
    },
  },
}

/** Only `finalize` changes `spec.finalizers`. */
export const namespaceFinalizeStrategy: NonNullable<Strategy['status']> = {
  prepareForUpdate(object, old) {
    object.status = old.status
  },
  validateUpdate: (object) =>
    finalizersOf(object).flatMap((finalizer, index) => {
      const path = `spec.finalizers[${index}]`
      return [
        ...malformed(finalizer, path),
        ...(isUnqualifiedFinalizer(finalizer)
          ? [invalidValue(path, finalizer, UNQUALIFIED_FINALIZER)]
          : []),
      ]
    }),
}

function labelWithName(object: KubeObject): void {
  const { name, labels } = object.metadata
  if (!name || labels?.[LABEL.namespaceName] === name) return
  object.metadata.labels = { ...labels, [LABEL.namespaceName]: name }
}
