/** Rules of role bindings. Recorded from kube-apiserver 1.31. */

import { RBAC_GROUP, type RoleRef, type Subject } from '../../authorization/rbac/role-index'
import { append } from '../../core/lists'
import { equalJson, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { invalidValue, notSupported, required } from '../../validation/field-errors'
import { invalidStructure } from '../../validation/go-literal'
import { dnsSubdomain, pathSegment } from '../../validation/names'
import { checkBindingGrant } from './escalation'

export interface BindingObject extends KubeObject {
  roleRef: RoleRef
  subjects?: Subject[]
}

function defaults(object: KubeObject): void {
  const { roleRef, subjects } = object as Partial<BindingObject>
  if (roleRef && !roleRef.apiGroup) roleRef.apiGroup = RBAC_GROUP
  for (const subject of subjects ?? []) {
    if (!subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group'))
      subject.apiGroup = RBAC_GROUP
  }
}

function roleRefErrors(
  { apiGroup = '', kind = '', name = '' }: Partial<RoleRef>,
  kinds: readonly string[],
): FieldError[] {
  const errors: FieldError[] = []
  if (apiGroup !== RBAC_GROUP) errors.push(notSupported('roleRef.apiGroup', apiGroup, [RBAC_GROUP]))
  if (!kinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, kinds))
  if (name === '') errors.push(required('roleRef.name'))
  else
    append(
      errors,
      pathSegment(name, false).map((problem) => invalidValue('roleRef.name', name, problem)),
    )
  return errors
}

function subjectErrors(subject: Partial<Subject>, path: string, namespaced: boolean): FieldError[] {
  const { kind = '', name = '', apiGroup = '', namespace = '' } = subject
  const errors: FieldError[] = []
  if (name === '') errors.push(required(`${path}.name`))
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '')
        append(
          errors,
          dnsSubdomain(name, false).map((problem) => invalidValue(`${path}.name`, name, problem)),
        )
      if (apiGroup !== '') errors.push(notSupported(`${path}.apiGroup`, apiGroup, ['']))
      if (!namespaced && namespace === '') errors.push(required(`${path}.namespace`))
      break
    case 'User':
    case 'Group':
      if (apiGroup !== RBAC_GROUP)
        errors.push(notSupported(`${path}.apiGroup`, apiGroup, [RBAC_GROUP]))
      break
    default:
      errors.push(notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group']))
  }
  return errors
}

/** Otherwise users could replace the subjects' role. */
function roleRefChange(object: KubeObject, old: KubeObject): FieldError[] {
  if (equalJson(object.roleRef, old.roleRef)) return []
  return [
    invalidStructure(
      'roleRef',
      'rbac.v1.RoleRef',
      object.roleRef,
      'cannot change roleRef',
      'internal',
    ),
  ]
}

function bindingStrategy(kinds: readonly string[], namespaced: boolean): Strategy {
  return {
    nameRule: pathSegment,
    allowCreateOnUpdate: true,
    defaults,
    checkGrant: checkBindingGrant,
    validate(object) {
      const { roleRef, subjects = [] } = object as BindingObject
      return [
        ...roleRefErrors(roleRef ?? {}, kinds),
        ...subjects.flatMap((subject, i) => subjectErrors(subject, `subjects[${i}]`, namespaced)),
      ]
    },
    validateUpdate: roleRefChange,
  }
}

export const roleBinding: Strategy = bindingStrategy(['Role', 'ClusterRole'], true)
export const clusterRoleBinding: Strategy = bindingStrategy(['ClusterRole'], false)
