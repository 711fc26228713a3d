/** kubernetes.io, "Using Node Authorization". Reasons recorded from kube-apiserver 1.31. */
import type { UserInfo } from '../../authentication/authenticator'
import { goQuote } from '../../schema/go-text'
import type { Storage } from '../../storage/storage'
import {
  type Attributes,
  type Authorizer,
  type Holding,
  type RuleList,
  unlisted,
  type Verdict,
} from '../authorizer'
import { type PolicyRule, ruleAllows } from '../rbac/rules'
import type { SelectorAttributes } from '../selectors'
import { isRelated } from './relations'
import { NODE_RULES, TRUST_BUNDLE_RULE } from './rules'

const NODES_GROUP = 'system:nodes'
const NODE_PREFIX = 'system:node:'
const NODES = '/registry/minions/'
const LEASES = 'kube-node-lease'

const ALLOW: Verdict = { decision: 'allow', reason: '' }
const noOpinion = (reason = ''): Verdict => ({ decision: 'noOpinion', reason })

const UNLISTED = unlisted('node authorizer does not support user rule resolution')
const NOTHING: RuleList = { resourceRules: [], nonResourceRules: [], incomplete: false }

export interface NodeFeatures {
  /** Gate AuthorizeNodeWithSelectors: nodes list and watch only their own objects. */
  selectors?: boolean
  /** Gate KubeletServiceAccountTokenForCredentialProviders: nodes read their pods' accounts. */
  readsAccounts?: boolean
  /** Gate ClusterTrustBundle: nodes read the bundles that pods project. */
  trustBundles?: boolean
}

export function nodeAuthorizer(storage: Storage, features: NodeFeatures = {}): Authorizer {
  const rules = features.trustBundles ? [...NODE_RULES, TRUST_BUNDLE_RULE] : NODE_RULES
  const decide = (attributes: Attributes, node: string) =>
    authorizeNode(storage, attributes, node, { features, rules })

  return {
    authorize(attributes) {
      const node = nodeOf(attributes.user)
      if (node === undefined) return noOpinion()
      if (node === '') return noOpinion(`unknown node for user ${goQuote(attributes.user.name)}`)
      return decide(attributes, node)
    },
    async holders(attributes) {
      const { items } = await storage.range(NODES)
      const allowed: Holding[] = []
      for (const { object } of items) {
        const { name = '' } = object.metadata
        const user = {
          name: `${NODE_PREFIX}${name}`,
          groups: [NODES_GROUP, 'system:authenticated'],
        }
        const { decision } = await decide({ ...attributes, user }, name)
        if (decision === 'allow') allowed.push({ subject: { kind: 'User', name: user.name } })
      }
      return allowed
    },
    rules: (user) => Promise.resolve(nodeOf(user) === undefined ? NOTHING : UNLISTED),
  }
}

function nodeOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(NODE_PREFIX) && groups.includes(NODES_GROUP)
    ? name.slice(NODE_PREFIX.length)
    : undefined
}

function authorizeNode(
  storage: Storage,
  attributes: Attributes,
  node: string,
  { features, rules }: { features: NodeFeatures; rules: readonly PolicyRule[] },
): Verdict | Promise<Verdict> {
  const relation =
    (features.selectors ? ownRelationOf(attributes, node) : undefined) ??
    relationOf(attributes, node, features)
  if (relation === 'by the rules')
    return rules.some((rule) => ruleAllows(rule, attributes)) ? ALLOW : noOpinion()
  if (relation === 'its own') return ALLOW
  if (relation !== 'by relation') return noOpinion(relation.because)
  return byRelation(storage, attributes, node)
}

async function byRelation(
  storage: Storage,
  { resource, namespace, name }: Attributes,
  node: string,
): Promise<Verdict> {
  if (name === '') return noOpinion('No Object name found')
  if (await isRelated(storage, node, resource, namespace, name)) return ALLOW
  return noOpinion(`no relationship found between node '${node}' and this object`)
}

type Relation = 'by the rules' | 'by relation' | 'its own' | { because: string }

/** With selectors a node reads only itself and its pods. @returns undefined for other kinds */
function ownRelationOf(attributes: Attributes, node: string): Relation | undefined {
  if (!attributes.isResource || attributes.group !== '') return undefined
  if (attributes.resource === 'nodes') return ownNode(attributes, node)
  return attributes.resource === 'pods' ? ownPod(attributes, node) : undefined
}

const NO_OPINION: Relation = { because: '' }

/** NodeRestriction checks the written object. */
function ownNode({ verb, subresource, name }: Attributes, node: string): Relation {
  if (subresource === 'status')
    return verb === 'update' || verb === 'patch' ? 'its own' : NO_OPINION
  if (subresource !== '') return NO_OPINION
  if (['create', 'update', 'patch'].includes(verb)) return 'its own'
  if (!['get', 'list', 'watch'].includes(verb)) return NO_OPINION
  if (name === node) return 'its own'
  return {
    because: `node '${node}' cannot read ${name === '' ? 'all nodes' : `'${name}'`}, only its own Node object`,
  }
}

function ownPod({ verb, subresource, name, fieldSelector }: Attributes, node: string): Relation {
  if (subresource === 'status')
    return verb === 'update' || verb === 'patch' ? 'its own' : NO_OPINION
  if (subresource === 'eviction') return verb === 'create' ? 'its own' : NO_OPINION
  if (subresource !== '') return NO_OPINION
  if (verb === 'get') return 'by relation'
  if (verb === 'create' || verb === 'delete') return 'its own'
  if (verb !== 'list' && verb !== 'watch') return NO_OPINION
  if (isLimitedTo(node, 'spec.nodeName', fieldSelector)) return 'its own'
  return name === ''
    ? { because: 'can only list/watch pods with spec.nodeName field selector' }
    : 'by relation'
}

/** Admission checks a new slice's node name, which is unknown here. */
function slice(
  { verb, subresource, fieldSelector }: Attributes,
  node: string,
  { selectors }: NodeFeatures,
): Relation {
  if (subresource !== '') return { because: 'cannot authorize ResourceSlice subresources' }
  if (verb === 'create') return 'its own'
  if (OWN_VERBS.includes(verb)) return 'by relation'
  if (!['watch', 'list', 'deletecollection'].includes(verb))
    return {
      because:
        'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
    }
  if (!selectors || isLimitedTo(node, 'spec.nodeName', fieldSelector)) return 'its own'
  return {
    because:
      'can only list/watch/deletecollection resourceslices with spec.nodeName field selector',
  }
}

const isLimitedTo = (
  node: string,
  field: string,
  selector: SelectorAttributes | undefined,
): boolean =>
  selector?.requirements.some(
    ({ key, operator, values = [] }) => key === field && operator === 'In' && values[0] === node,
  ) ?? false

function relationOf(attributes: Attributes, node: string, features: NodeFeatures): Relation {
  if (!attributes.isResource) return 'by the rules'
  const { group, resource } = attributes
  switch (group === '' ? resource : `${resource}.${group}`) {
    case 'secrets':
    case 'configmaps':
      return ofNamespace(attributes)
    case 'persistentvolumeclaims':
      return attributes.subresource === 'status' ? ofStatus(attributes) : single(attributes)
    case 'persistentvolumes':
    case 'volumeattachments.storage.k8s.io':
    case 'resourceclaims.resource.k8s.io':
      return single(attributes)
    case 'resourceslices.resource.k8s.io':
      return slice(attributes, node, features)
    case 'serviceaccounts':
      return account(attributes, features)
    case 'leases.coordination.k8s.io':
      return lease(attributes, node)
    case 'csinodes.storage.k8s.io':
      return csiNode(attributes, node)
    default:
      return 'by the rules'
  }
}

function ofNamespace({ verb, subresource, namespace }: Attributes): Relation {
  if (!['get', 'list', 'watch'].includes(verb))
    return { because: 'can only read resources of this type' }
  if (subresource !== '') return { because: 'cannot read subresource' }
  return namespace === ''
    ? { because: 'can only read namespaced object of this type' }
    : 'by relation'
}

function ofStatus({ verb }: Attributes): Relation {
  return verb === 'update' || verb === 'patch'
    ? 'by relation'
    : { because: 'can only get/update/patch this type' }
}

function single({ verb, subresource }: Attributes): Relation {
  if (verb !== 'get') return { because: 'can only get individual resources of this type' }
  return subresource === '' ? 'by relation' : { because: 'cannot get subresource' }
}

function account(attributes: Attributes, { readsAccounts }: NodeFeatures): Relation {
  const { verb, subresource } = attributes
  if (readsAccounts === undefined || verb !== 'get' || subresource !== '') return token(attributes)
  return readsAccounts
    ? ofNamespace(attributes)
    : { because: 'not allowed to get service accounts' }
}

function token({ verb, name, subresource }: Attributes): Relation {
  if (verb !== 'create' || name === '')
    return { because: 'can only create tokens for individual service accounts' }
  return subresource === 'token'
    ? 'by relation'
    : { because: 'can only create token subresource of serviceaccount' }
}

const OWN_VERBS = ['get', 'create', 'update', 'patch', 'delete']

/** NodeRestriction checks a new lease's name, which is unknown here. */
function lease({ verb, namespace, name }: Attributes, node: string): Relation {
  if (!OWN_VERBS.includes(verb))
    return { because: 'can only get, create, update, patch, or delete a node lease' }
  if (namespace !== LEASES)
    return { because: `can only access leases in the ${JSON.stringify(LEASES)} system namespace` }
  if (verb === 'create' || name === node) return 'its own'
  return { because: 'can only access node lease with the same name as the requesting node' }
}

function csiNode({ verb, subresource, name }: Attributes, node: string): Relation {
  if (!OWN_VERBS.includes(verb))
    return { because: 'can only get, create, update, patch, or delete a CSINode' }
  if (subresource !== '') return { because: 'cannot authorize CSINode subresources' }
  if (verb === 'create' || name === node) return 'its own'
  return { because: 'can only access CSINode with the same name as the requesting node' }
}
