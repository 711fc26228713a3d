/** Subjects and requests in words. */
import type { AccessSubject, QueryAttributes } from '../../../hosts/shared/access'

export function subjectName(subject: AccessSubject): string {
  if (subject.kind === 'ServiceAccount')
    return `service account ${subject.namespace}/${subject.name}`
  return subject.kind === 'Group' ? `group ${subject.name}` : subject.name
}

/** `get pods/log of web in default`, `get /healthz` */
export function attributesText({
  verb,
  isResource,
  path,
  group,
  resource,
  subresource,
  namespace,
  name,
}: QueryAttributes): string {
  if (!isResource) return `${verb} ${path}`
  const full = subresource === '' ? resource : `${resource}/${subresource}`
  return `${verb} ${full}${group === '' ? '' : `.${group}`}${name === '' ? '' : ` “${name}”`}${namespace === '' ? '' : ` in ${namespace}`}`
}
