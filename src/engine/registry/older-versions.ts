/** Rules that removed API versions relax. See kubernetes.io, "Deprecated API Migration Guide". */

import { entryOf, isJsonObject, type Json, type JsonObject, type KubeObject } from '../core/object'
import type { FieldError } from '../http/status'
import type { Strategy } from './strategy'

interface VersionRules {
  takes?(error: FieldError, object: KubeObject): boolean
  fieldName?(field: string): string
}

const CHANGING_SELECTOR: VersionRules = {
  takes: ({ field, detail }) => field === 'spec.selector' && detail.endsWith('field is immutable'),
}

const ANY_SIDE_EFFECTS = /"(Unknown|Some)"/

const WEBHOOKS: VersionRules = {
  takes: ({ field, reason, detail }) =>
    (/^webhooks\[\d+\]\.sideEffects$/.test(field) && ANY_SIDE_EFFECTS.test(detail)) ||
    (/^webhooks\[\d+\]\.name$/.test(field) && reason === 'FieldValueDuplicate'),
}

const specOf = (object: KubeObject): JsonObject =>
  isJsonObject(object.spec as Json) ? (object.spec as JsonObject) : {}

const DEFINITION: VersionRules = {
  takes({ field }, object) {
    if (field === 'spec.preserveUnknownFields' || /\.schema\.openAPIV3Schema$/.test(field))
      return true
    return /\.openAPIV3Schema(\.|$)/.test(field) && specOf(object).preserveUnknownFields === true
  },
}

const SIGNING_REQUEST: VersionRules = {
  takes({ field, reason, detail }) {
    if (field === 'spec.signerName') return detail.includes('the legacy signerName is not allowed')
    if (field.startsWith('spec.usages[')) return true
    return (
      field === 'status.certificate' ||
      (/^status\.conditions\[\d+\]\.type$/.test(field) && reason === 'FieldValueDuplicate')
    )
  },
}

const INGRESS_NAMES: [now: RegExp, then: string][] = [
  [/^spec\.defaultBackend/, 'spec.backend'],
  [/\.service\.name$/, '.serviceName'],
  [/\.service\.port(\.(name|number))?$/, '.servicePort'],
]

const INGRESS: VersionRules = {
  fieldName: (field) => INGRESS_NAMES.reduce((name, [now, then]) => name.replace(now, then), field),
}

const RULES: Record<string, VersionRules> = {
  'admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration': WEBHOOKS,
  'admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration': WEBHOOKS,
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': DEFINITION,
  'apps/v1beta1 Deployment': CHANGING_SELECTOR,
  'certificates.k8s.io/v1beta1 CertificateSigningRequest': SIGNING_REQUEST,
  'extensions/v1beta1 DaemonSet': CHANGING_SELECTOR,
  'extensions/v1beta1 Deployment': CHANGING_SELECTOR,
  'extensions/v1beta1 Ingress': INGRESS,
  'extensions/v1beta1 ReplicaSet': CHANGING_SELECTOR,
  'networking.k8s.io/v1beta1 Ingress': INGRESS,
}

export function strategyOfVersion(apiVersion: string, kind: string, strategy: Strategy): Strategy {
  const rules = entryOf(RULES, `${apiVersion} ${kind}`)
  return rules === undefined ? strategy : adapted(strategy, rules)
}

function adapted(strategy: Strategy, rules: VersionRules): Strategy {
  const { validate, validateNew, validateUpdate, status } = strategy
  const kept = async (errors: FieldError[] | Promise<FieldError[]>, object: KubeObject) =>
    withVersionRules(await errors, object, rules)
  return {
    ...strategy,
    ...(validate ? { validate: (object, context) => kept(validate(object, context), object) } : {}),
    ...(validateNew
      ? {
          validateNew: (object, context) =>
            withVersionRules(validateNew(object, context), object, rules),
        }
      : {}),
    ...(validateUpdate
      ? {
          validateUpdate: (object, old, context) =>
            kept(validateUpdate(object, old, context), object),
        }
      : {}),
    ...(status?.validateUpdate ? { status: adaptedStatus(status, rules) } : {}),
  }
}

function adaptedStatus(
  status: NonNullable<Strategy['status']>,
  rules: VersionRules,
): NonNullable<Strategy['status']> {
  const { validateUpdate } = status
  if (validateUpdate === undefined) return status
  return {
    ...status,
    validateUpdate: async (object, old, context) =>
      withVersionRules(await validateUpdate(object, old, context), object, rules),
  }
}

function withVersionRules(
  errors: FieldError[],
  object: KubeObject,
  { takes, fieldName }: VersionRules,
): FieldError[] {
  const left = takes ? errors.filter((error) => !takes(error, object)) : errors
  return fieldName ? left.map((error) => ({ ...error, field: fieldName(error.field) })) : left
}
