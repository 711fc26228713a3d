/**
 * See kubernetes.io, "Privilege escalation prevention and bootstrapping". Recorded from
 * kube-apiserver 1.31.
 */

import type { Attributes } from '../../authorization/authorizer'
import { SUPERUSERS } from '../../authorization/privileged'
import { TooManyCombinations } from '../../authorization/rbac/cover'
import { FULL_AUTHORITY } from '../../authorization/rbac/coverage'
import { missingPermissions } from '../../authorization/rbac/missing-permissions'
import { RBAC_GROUP, type RoleRef } from '../../authorization/rbac/role-index'
import type { PolicyRule } from '../../authorization/rbac/rules'
import { aggregateMessage } from '../../core/aggregate-message'
import { entryOf, equalJson, type KubeObject } from '../../core/object'
import { forbidden, notFound, serverError } from '../../http/status'
import { type RequestContext, targetOf } from '../../registry/request-context'
import { goQuote } from '../../schema/go-text'

const RESOURCE_OF_KIND: Record<string, string> = { Role: 'roles', ClusterRole: 'clusterroles' }

/** @throws ApiError 403 */
export async function checkRoleGrant(
  object: KubeObject,
  old: KubeObject | undefined,
  context: RequestContext,
): Promise<void> {
  const { user, resource, namespace, name } = context
  if (user.groups.includes(SUPERUSERS)) return
  if (
    await allows(context, {
      verb: 'escalate',
      resource: resource.resource,
      version: resource.version,
      namespace,
      name,
    })
  )
    return
  if (old !== undefined && isOnlyMutatingGCFields(object, old)) return
  await confirm(context, object, (object.rules as PolicyRule[] | null | undefined) ?? [])
  if (
    (aggregates(object) || (old !== undefined && aggregates(old))) &&
    (await shortfall(context, FULL_AUTHORITY)) !== undefined
  )
    throw forbidden(
      targetOf(context),
      object.metadata.name ?? '',
      'must have cluster-admin privileges to use the aggregationRule',
    )
}

/** @throws ApiError 403, 404 missing role, 500 not a role */
export async function checkBindingGrant(
  object: KubeObject,
  old: KubeObject | undefined,
  context: RequestContext,
): Promise<void> {
  const { engine, user, namespace } = context
  if (user.groups.includes(SUPERUSERS)) return
  if (old !== undefined && isOnlyMutatingGCFields(object, old)) return
  const roleRef = object.roleRef as RoleRef
  const { kind = '', name = '' } = roleRef
  const resource = entryOf(RESOURCE_OF_KIND, kind)
  const bind = {
    verb: 'bind',
    group: roleRef.apiGroup,
    resource: resource ?? '',
    version: '*',
    namespace,
    name,
  }
  if (resource !== undefined && (await allows(context, bind))) return
  if (resource === undefined) throw serverError(`unsupported role reference kind: ${goQuote(kind)}`)
  await engine.roles.ready()
  const rules = engine.roles.rulesOf(roleRef, namespace)
  if (rules === undefined) {
    const missing = engine.tables.changes.has('BindingNamesMissingRole')
      ? context.resource.resource
      : resource
    throw notFound({ group: RBAC_GROUP, resource: missing }, name)
  }
  await confirm(context, object, rules)
}

/** As the garbage collector does (k8s.io/kubernetes, pkg/registry/rbac/helpers.go). */
function isOnlyMutatingGCFields(object: KubeObject, old: KubeObject): boolean {
  const { ownerReferences, finalizers, managedFields, selfLink, ...meta } = object.metadata
  const {
    ownerReferences: _,
    finalizers: __,
    managedFields: ___,
    selfLink: ____,
    ...oldMeta
  } = old.metadata
  return (
    sameMembers({ ...object, metadata: {} }, { ...old, metadata: {} }) && sameMembers(meta, oldMeta)
  )
}

/** Empty equals absent. */
function sameMembers(a: object, b: object): boolean {
  return equalJson(present(a), present(b))
}

function present(members: object): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    value === undefined ||
    value === null ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)))
}

const aggregates = (object: KubeObject): boolean =>
  Boolean(
    (object.aggregationRule as { clusterRoleSelectors?: unknown[] } | undefined)
      ?.clusterRoleSelectors?.length,
  )

async function allows(
  context: RequestContext,
  target: Pick<Attributes, 'verb' | 'resource' | 'version' | 'namespace' | 'name'> & {
    group?: string
  },
): Promise<boolean> {
  const attributes: Attributes = {
    user: context.user,
    isResource: true,
    path: '',
    subresource: '',
    ...target,
    group: target.group ?? RBAC_GROUP,
  }
  return (await context.engine.authorizer.authorize(attributes)).decision === 'allow'
}

/** @throws ApiError 403 */
async function confirm(
  context: RequestContext,
  object: KubeObject,
  rules: readonly PolicyRule[],
): Promise<void> {
  const lacking = await shortfall(context, rules)
  if (lacking === undefined) return
  const { name, groups } = context.user
  const who = `user ${goQuote(name)} (groups=[${groups.map(goQuote).join(' ')}])`
  throw forbidden(
    targetOf(context),
    object.metadata.name ?? '',
    `${who} is attempting to grant RBAC permissions not currently held:\n${lacking}`,
  )
}

const TOO_MANY = {
  descriptions: ['the rules have too many combinations to be compared with those held'],
  omitted: 0,
}

/** Too complex rules count as missing. */
function missingOf(held: readonly PolicyRule[], wanted: readonly PolicyRule[]) {
  try {
    return missingPermissions(held, wanted)
  } catch (error) {
    if (error instanceof TooManyCombinations) return TOO_MANY
    throw error
  }
}

/** @returns missing permissions and roles; undefined: none */
async function shortfall(
  context: RequestContext,
  rules: readonly PolicyRule[],
): Promise<string | undefined> {
  const held = await context.engine.roles.rulesFor(context.user, context.namespace)
  const { descriptions, omitted } = missingOf(held.rules, rules)
  if (descriptions.length === 0) return undefined
  const errors = held.missing.map((role) => role.plural())
  const more = omitted === 0 ? '' : `\nand ${omitted} more permissions`
  return (
    descriptions.join('\n') +
    more +
    (errors.length === 0 ? '' : `; resolution errors: [${aggregateMessage(errors)}]`)
  )
}
