/** Access review objects (authorization.k8s.io/v1). */
import type { AccessSubject, QueryAttributes } from '../../../hosts/shared/access'

export type ReviewKind =
  | 'SelfSubjectAccessReview'
  | 'SubjectAccessReview'
  | 'LocalSubjectAccessReview'

export interface Review {
  path: string
  body: object
}

const GROUP_VERSION = 'authorization.k8s.io/v1'

const withoutEmpty = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) =>
        value !== '' && value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  )

/** @param subject ignored by self reviews */
export function reviewOf(
  kind: ReviewKind,
  subject: AccessSubject,
  attributes: QueryAttributes,
): Review {
  const root = `/apis/${GROUP_VERSION}`
  const local = kind === 'LocalSubjectAccessReview'
  const plural = `${kind.toLowerCase()}s`
  const path = local
    ? `${root}/namespaces/${encodeURIComponent(attributes.namespace)}/${plural}`
    : `${root}/${plural}`
  const spec = {
    ...attributesOf(attributes),
    ...(kind === 'SelfSubjectAccessReview' ? {} : whoOf(subject)),
  }
  return {
    path,
    body: {
      apiVersion: GROUP_VERSION,
      kind,
      ...(local ? { metadata: { namespace: attributes.namespace } } : {}),
      spec,
    },
  }
}

function attributesOf({
  isResource,
  verb,
  path,
  group,
  version,
  resource,
  subresource,
  namespace,
  name,
}: QueryAttributes): object {
  if (!isResource) return { nonResourceAttributes: withoutEmpty({ path, verb }) }
  return {
    resourceAttributes: withoutEmpty({
      namespace,
      verb,
      group,
      version,
      resource,
      subresource,
      name,
    }),
  }
}

function whoOf(subject: AccessSubject): Record<string, unknown> {
  switch (subject.kind) {
    case 'User':
      return withoutEmpty({
        user: subject.name,
        groups: subject.groups,
        uid: subject.uid,
        extra: subject.extra,
      })
    case 'Group':
      return { groups: [subject.name] }
    case 'ServiceAccount': {
      const { namespace, name } = subject
      return {
        user: `system:serviceaccount:${namespace}:${name}`,
        groups: [
          'system:serviceaccounts',
          `system:serviceaccounts:${namespace}`,
          'system:authenticated',
        ],
      }
    }
  }
}

const quoted = (text: string): string =>
  /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** The equivalent `kubectl auth can-i`; `--as-group` requires `--as`. */
export function asCanI(
  kind: ReviewKind,
  subject: AccessSubject,
  attributes: QueryAttributes,
): string {
  const { isResource, verb, path, group, resource, subresource, namespace, name } = attributes
  const full = group === '' ? resource : `${resource}.${group}`
  const what = isResource ? `${full}${name === '' ? '' : `/${name}`}` : path
  const who = kind === 'SelfSubjectAccessReview' ? '' : impersonating(subject)
  const where = !isResource ? '' : namespace === '' ? ' -A' : ` -n ${quoted(namespace)}`
  return `kubectl auth can-i ${quoted(verb)} ${quoted(what)}${isResource && subresource !== '' ? ` --subresource=${quoted(subresource)}` : ''}${where}${who}`
}

function impersonating(subject: AccessSubject): string {
  const { user = 'someone', groups = [] } = whoOf(subject) as { user?: string; groups?: string[] }
  // The server itself adds the groups of a service account.
  const named = subject.kind === 'ServiceAccount' ? [] : groups
  return ` --as=${quoted(user)}${named.map((group) => ` --as-group=${quoted(group)}`).join('')}`
}
