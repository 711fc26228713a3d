/** Uses the authorizers that decide on requests. */
import type { UserInfo } from '../../authentication/authenticator'
import { equalJson } from '../../core/object'
import { matchesLabels, selectorOf } from '../../selectors/labels'
import type { Storage, StoredObject } from '../../storage/storage'
import type { Attributes, Grounds } from '../authorizer'
import { allowedNames, grantPathsOf } from '../rbac/grant-paths'
import { groundsOf, nearMisses } from '../rbac/near-misses'
import { CLUSTER_ROLES, RoleIndex } from '../rbac/role-index'
import type { PolicyRule } from '../rbac/rules'
import {
  authorizeWithSteps,
  type ConfiguredAuthorizer,
  currentStateCaveats,
  withoutWebhooks,
  withRoles,
} from './authorizer-chain'
import { escalationRisksOf } from './escalation-risks'
import { leastRoles, stillDenied } from './least-role'
import { userOf } from './subject'
import type {
  Access,
  AccessResource,
  Cell,
  Chain,
  EscalationRisk,
  EscalationRiskQuery,
  ExplainQuery,
  Explanation,
  Holder,
  Matrix,
  MatrixQuery,
  QueryAttributes,
  WhoCan,
  WhoCanQuery,
} from './types'

export interface AccessEnvironment {
  storage: Storage
  roles: RoleIndex
  row(): readonly ConfiguredAuthorizer[]
  resources(): AccessResource[]
}

const API_VERBS = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
]
const PATH_VERBS = ['get', 'post', 'put', 'patch', 'delete']

interface Moment {
  revision: number
  isPast: boolean
  roles: RoleIndex
  row: ConfiguredAuthorizer[]
}

export function accessQueries(environment: AccessEnvironment): Access {
  return new AccessQueries(environment)
}

class AccessQueries implements Access {
  /** Users usually open cells of a matrix next. */
  private past: { revision: number; roles: RoleIndex } | undefined

  constructor(private readonly environment: AccessEnvironment) {}

  authorizers = () => this.environment.row().map(({ by }) => by)
  leastRoles = leastRoles
  stillDenied = stillDenied

  async matrix({
    subject,
    namespace,
    verbs = API_VERBS,
    resources,
    paths = [],
    revision,
  }: MatrixQuery): Promise<Matrix> {
    const moment = await this.at(revision)
    const { row, caveats } = withoutWebhooks(moment.row)
    const user = userOf(subject)
    const cell = (query: QueryAttributes) => cellOf(row, moment.roles, { ...query, user })
    const rows: Matrix['rows'] = []
    for (const resource of resources ?? this.environment.resources()) {
      const cells: Cell[] = []
      for (const verb of verbs) cells.push(await cell(onResource(resource, verb, namespace)))
      rows.push({ resource, cells })
    }
    const pathRows: Matrix['paths'] = []
    for (const path of paths) {
      const cells: Cell[] = []
      for (const verb of PATH_VERBS) cells.push(await cell(onPath(path, verb)))
      pathRows.push({ path, cells })
    }
    const all = moment.isPast ? [...caveats, ...currentStateCaveats(row)] : caveats
    return {
      revision: moment.revision,
      user,
      verbs,
      rows,
      pathVerbs: PATH_VERBS,
      paths: pathRows,
      caveats: all,
    }
  }

  async explain({ subject, attributes: query, revision }: ExplainQuery): Promise<Explanation> {
    const moment = await this.at(revision)
    const user = userOf(subject)
    const attributes: Attributes = { ...query, user }
    const { decision, ...outcome } = await authorizeWithSteps(moment.row, attributes)
    const usesRoles = moment.row.some(({ by }) => by.type === 'RBAC')
    const allowed = decision === 'allow'
    return {
      revision: moment.revision,
      user,
      allowed,
      ...outcome,
      chains: usesRoles ? await this.chains(grantPathsOf(moment.roles, attributes), moment) : [],
      nearMisses: usesRoles && !allowed ? nearMisses(moment.roles, attributes) : [],
    }
  }

  async whoCan({ attributes, revision }: WhoCanQuery): Promise<WhoCan> {
    const moment = await this.at(revision)
    const { row, caveats } = withoutWebhooks(moment.row)
    const holders: Holder[] = []
    for (const { by, authorizer } of row) {
      const found = await authorizer.holders?.(attributes)
      if (found === undefined)
        caveats.push({
          kind: 'incomplete',
          by,
          text: `The mode ${by.type} cannot list whom it allows.`,
        })
      for (const one of found ?? []) {
        const [chain] = 'binding' in one ? await this.chains([one], moment) : []
        holders.push({ subject: one.subject, by, ...(chain ? { chain } : {}) })
      }
    }
    return {
      revision: moment.revision,
      holders,
      caveats: moment.isPast ? [...caveats, ...currentStateCaveats(row)] : caveats,
    }
  }

  async warnings(question: EscalationRiskQuery): Promise<EscalationRisk[]> {
    if ('rules' in question) return question.rules.flatMap(escalationRisksOf)
    const { subject, namespace, revision } = question
    const moment = await this.at(revision)
    const chains = await this.chains(heldBy(moment.roles, userOf(subject), namespace), moment)
    return chains.flatMap((chain) =>
      escalationRisksOf(chain.rule as PolicyRule).map((warning) => ({ ...warning, chain })),
    )
  }

  private async at(revision: number | undefined): Promise<Moment> {
    const { storage, roles, row } = this.environment
    const now = storage.currentRevision()
    if (revision === undefined || revision === now) {
      await roles.ready()
      return { revision: now, isPast: false, roles, row: withRoles(row(), roles) }
    }
    if (this.past?.revision !== revision || revision < storage.compactRevision()) {
      const past = new RoleIndex(storage, revision)
      await past.ready()
      this.past = { revision, roles: past }
    }
    const { roles: then } = this.past
    return { revision, isPast: true, roles: then, row: withRoles(row(), then) }
  }

  /** Adds the source roles of aggregated rules. */
  private async chains(
    grounds: readonly Grounds[],
    { revision, isPast }: Moment,
  ): Promise<Chain[]> {
    if (!grounds.some(({ role }) => role.kind === 'ClusterRole')) return [...grounds]
    const { items } = await this.environment.storage.range(
      CLUSTER_ROLES,
      isPast ? { revision } : {},
    )
    return grounds.map((one) => {
      const aggregatedFrom = one.role.kind === 'ClusterRole' ? sourcesOf(items, one) : []
      return aggregatedFrom.length > 0 ? { ...one, aggregatedFrom } : one
    })
  }
}

type ClusterRoleFields = {
  rules?: PolicyRule[] | null
  aggregationRule?: { clusterRoleSelectors?: Parameters<typeof selectorOf>[0][] }
}

function sourcesOf(roles: readonly StoredObject[], { role, rule }: Grounds): string[] {
  const aggregating = roles.find(({ object }) => object.metadata.name === role.name)?.object
  const selectors = (
    (aggregating as ClusterRoleFields | undefined)?.aggregationRule?.clusterRoleSelectors ?? []
  ).map(selectorOf)
  return roles.flatMap(({ object }) => {
    const { name = '', labels } = object.metadata
    const isSelected =
      name !== role.name &&
      selectors.some((selector) => selector && matchesLabels(selector, labels))
    return isSelected && (object as ClusterRoleFields).rules?.some((one) => equalJson(one, rule))
      ? [name]
      : []
  })
}

function heldBy(roles: RoleIndex, user: UserInfo, namespace: string): Grounds[] {
  return (namespace === '' ? [''] : ['', namespace]).flatMap((scope) =>
    roles
      .grantsOf(user, scope)
      .flatMap((grant) =>
        (roles.rulesOf(grant.binding.roleRef, scope) ?? []).map((rule) => groundsOf(grant, rule)),
      ),
  )
}

async function cellOf(
  row: readonly ConfiguredAuthorizer[],
  roles: RoleIndex,
  attributes: Attributes,
): Promise<Cell> {
  for (const { by, authorizer } of row) {
    const verdict = authorizer.authorize(attributes)
    const { decision } = verdict instanceof Promise ? await verdict : verdict
    if (decision === 'noOpinion') continue
    return { outcome: decision === 'allow' ? 'allowed' : 'forbidden', by }
  }
  const rbac = row.find(({ by }) => by.type === 'RBAC')
  const names = rbac && attributes.isResource ? allowedNames(roles, attributes) : []
  return rbac && names.length > 0
    ? { outcome: 'some', by: rbac.by, names }
    : { outcome: 'forbidden' }
}

function onResource(
  { group, version, resource: full, namespaced }: AccessResource,
  verb: string,
  namespace: string,
): QueryAttributes {
  const [resource = '', subresource = ''] = full.split('/')
  return {
    verb,
    isResource: true,
    path: '',
    group,
    version,
    resource,
    subresource,
    namespace: namespaced ? namespace : '',
    name: '',
  }
}

function onPath(path: string, verb: string): QueryAttributes {
  return {
    verb,
    isResource: false,
    path,
    group: '',
    version: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
  }
}
