/** v1alpha1 has versions instead of groups, and the user `*` for all authenticated users. */
import type { JsonObject } from '../../core/object'
import type { Conversion } from '../conversion-type'
import { withEach } from './members'

const GROUP = 'rbac.authorization.k8s.io'
const HUB = { group: GROUP, version: 'v1' }
const ALL_USERS = 'system:authenticated'

export const bindingV1alpha1: Conversion = {
  hub: HUB,
  toHub: (object) => ({
    ...withEach(object, 'subjects', subjectOfGroup),
    apiVersion: `${GROUP}/v1`,
  }),
  fromHub: (object) => ({
    ...withEach(object, 'subjects', subjectOfVersion),
    apiVersion: `${GROUP}/v1alpha1`,
  }),
}

function subjectOfGroup({ apiVersion: _, ...subject }: JsonObject): JsonObject {
  const { kind, name } = subject
  if (kind === 'User' && name === '*')
    return { ...subject, kind: 'Group', apiGroup: GROUP, name: ALL_USERS }
  return kind === 'User' || kind === 'Group' ? { ...subject, apiGroup: GROUP } : subject
}

function subjectOfVersion({ apiGroup, ...subject }: JsonObject): JsonObject {
  const { kind, name } = subject
  if (kind === 'Group' && name === ALL_USERS)
    return { ...subject, kind: 'User', apiVersion: `${GROUP}/v1alpha1`, name: '*' }
  return apiGroup === GROUP
    ? { ...subject, apiVersion: `${GROUP}/v1alpha1` }
    : { ...subject, apiVersion: 'v1' }
}
