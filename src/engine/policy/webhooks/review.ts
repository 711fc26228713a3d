/** kubernetes.io, "Dynamic Admission Control", "Request". Recording: policy-webhooks. */
import type { AdmissionAttributes } from '../../admission/admission'
import { API_DOMAIN } from '../../core/names'
import type { GroupVersionKind, Json, JsonObject } from '../../core/object'
import type { ServedForm } from '../environment'
import type { ResourceVersion } from '../match'

export const REVIEW_GROUP = `admission.${API_DOMAIN}`
export const REVIEW_KIND = 'AdmissionReview'

/** v1 and v1beta1 have the same members. @param form of the webhook's rules */
export function reviewOf(
  uid: string,
  version: string,
  attributes: AdmissionAttributes,
  form: ServedForm,
  requested: ServedForm,
): JsonObject {
  return {
    kind: REVIEW_KIND,
    apiVersion: `${REVIEW_GROUP}/${version}`,
    request: admissionRequest(uid, attributes, form, requested),
  }
}

/** Also the variable `request`. */
export function admissionRequest(
  uid: string,
  attributes: AdmissionAttributes,
  form: ServedForm,
  requested: ServedForm,
): JsonObject {
  const { subresource, name, namespace, operation, object, oldObject, dryRun, options } = attributes
  const shown = (state: typeof object): Json =>
    state === undefined ? null : (form.show(state) as unknown as Json)
  return {
    uid,
    kind: kindOf(form.kind),
    resource: resourceOf(form),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindOf(requested.kind),
    requestResource: resourceOf(requested),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userOf(attributes),
    object: shown(object),
    oldObject: shown(oldObject),
    dryRun,
    options: options?.() ?? null,
  }
}

const kindOf = ({ group, version, kind }: GroupVersionKind): JsonObject => ({
  group,
  version,
  kind,
})
const resourceOf = ({ group, version, resource }: ResourceVersion): JsonObject => ({
  group,
  version,
  resource,
})

function userOf({ user }: AdmissionAttributes): JsonObject {
  const { name, uid, groups, extra } = user
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid ? { uid } : {}),
    ...(groups.length > 0 ? { groups: [...groups] } : {}),
    ...(extra && Object.keys(extra).length > 0 ? { extra } : {}),
  }
}
