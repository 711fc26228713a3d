/**
 * A policy could reveal parameters that its author may not read (kubernetes.io, "Validating
 * Admission Policy", "Parameter resources").
 */
import type { UserInfo } from '../../authentication/authenticator'
import type { Attributes } from '../../authorization/authorizer'
import { entryOf, equalJson, parseApiVersion } from '../../core/object'
import type { FieldError } from '../../http/status'
import type {
  ParamKind,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../policy/objects'
import type { StrategyContext } from '../../registry/strategy'
import { forbiddenField } from '../../validation/field-errors'

const SUPERUSERS = 'system:masters'
const ANY = '*'
const OWN_GROUP = 'admissionregistration.k8s.io'

/** @param old an unchanged paramKind is not checked */
export async function paramKindAuthorizationErrors(
  { spec }: Pick<ValidatingAdmissionPolicy, 'spec'>,
  old: Pick<ValidatingAdmissionPolicy, 'spec'> | undefined,
  context: StrategyContext,
): Promise<FieldError[]> {
  const { paramKind } = spec ?? {}
  if (
    !paramKind ||
    isSuperuser(context) ||
    (old && equalJson(old.spec?.paramKind ?? null, paramKind))
  )
    return []
  if (
    await may(context, { verb: 'get', namespace: ANY, name: ANY, ...namedBy(context, paramKind) })
  )
    return []
  const { kind = '', apiVersion = '' } = paramKind
  const needed = `must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`
  return [forbiddenField('spec.paramKind', `user ${userText(context.user)} ${needed}`)]
}

export async function paramRefAuthorizationErrors(
  { spec }: ValidatingAdmissionPolicyBinding,
  old: ValidatingAdmissionPolicyBinding | undefined,
  context: StrategyContext,
  policies:
    | 'mutatingadmissionpolicies'
    | 'validatingadmissionpolicies' = 'validatingadmissionpolicies',
): Promise<FieldError[]> {
  const { paramRef, policyName = '' } = spec ?? {}
  if (!paramRef || isSuperuser(context)) return []
  if (old && equalJson(old.spec?.paramRef ?? null, paramRef) && old.spec?.policyName === policyName)
    return []
  const policy = (await context.read(OWN_GROUP, policies, '', policyName)) as
    | ValidatingAdmissionPolicy
    | undefined
  const paramKind = policy?.spec?.paramKind
  const named = paramKind ? namedBy(context, paramKind) : EVERYTHING
  const verb = paramRef.name ? 'get' : 'list'
  if (
    await may(context, {
      verb,
      namespace: paramRef.namespace ?? '',
      name: paramRef.name ?? '',
      ...named,
    })
  )
    return []
  const user = userText(context.user)
  const lacks = `user ${user} does not have "${verb}" permission`
  const everywhere = `to determine minimum required permissions and ${lacks} for all groups, versions and resources`
  const why =
    policy === undefined
      ? `unable to get policy ${policyName} ${everywhere}`
      : paramKind && named.resource === ANY
        ? `unable to resolve paramKind &{${paramKind.apiVersion} ${paramKind.kind}} ${everywhere}`
        : `${lacks} on the object referenced by paramRef`
  return [forbiddenField('spec.paramRef', why)]
}

type Named = Pick<Attributes, 'group' | 'version' | 'resource'>

const EVERYTHING: Named = { group: ANY, version: ANY, resource: ANY }

/** An unknown kind requires permission on all resources of its version. */
function namedBy({ engine }: StrategyContext, { apiVersion = '', kind = '' }: ParamKind): Named {
  const { group, version } = parseApiVersion(apiVersion)
  return {
    group,
    version,
    resource: engine.resources.byKind(group, version, kind)?.resource ?? ANY,
  }
}

const isSuperuser = ({ user }: StrategyContext): boolean => user.groups.includes(SUPERUSERS)

async function may(
  { engine, user }: StrategyContext,
  attributes: Named & Pick<Attributes, 'verb' | 'namespace' | 'name'>,
): Promise<boolean> {
  const { decision } = await engine.authorizer.authorize({
    ...attributes,
    user,
    isResource: true,
    path: '',
    subresource: '',
  })
  return decision === 'allow'
}

function userText({ name, uid = '', groups, extra = {} }: UserInfo): string {
  const pairs = Object.keys(extra)
    .sort()
    .map((key) => `${key}:[${(entryOf(extra, key) ?? []).join(' ')}]`)
  return `&{${name} ${uid} [${groups.join(' ')}] map[${pairs.join(' ')}]}`
}
