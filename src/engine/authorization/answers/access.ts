/** Questions about rights, answered by the authorizers that decide on requests: `who can`, whole tables, why, and since when. */
import type { UserInfo } from '../../authentication/authenticator'
import { equalJson } from '../../object'
import { matchesLabels, selectorOf } from '../../selectors/labels'
import type { Storage, StoredObject } from '../../storage/storage'
import type { Attributes, Grounds } from '../authorizer'
import { groundsOf, nearMisses } from '../rbac/near-misses'
import { CLUSTER_ROLES, RoleIndex } from '../rbac/role-index'
import type { PolicyRule } from '../rbac/rules'
import { allowedNames, ownWays } from '../rbac/ways'
import { leastRoles, stillRefused } from './least-role'
import type {
  Access,
  AccessResource,
  AskedAttributes,
  Cell,
  Chain,
  ExplainQuestion,
  Explanation,
  Holder,
  Matrix,
  MatrixQuestion,
  ReachWarning,
  WarningsQuestion,
  WhoCan,
  WhoCanQuestion,
} from './questions'
import { reachesOf } from './reaches'
import { askRow, type Configured, overRoles, presentCaveats, withoutWebhooks } from './row'
import { userOf } from './subject'

export interface AccessEnvironment {
  storage: Storage
  /** As they stand now. */
  roles: RoleIndex
  /** The authorizers that decide now. */
  row(): readonly Configured[]
  /** Everything that is served. */
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

/** What an answer is made of: roles of one time, and whoever decides by them. */
interface Moment {
  revision: number
  isPast: boolean
  roles: RoleIndex
  row: Configured[]
}

export function accessAnswers(environment: AccessEnvironment): Access {
  return new Answers(environment)
}

class Answers implements Access {
  /** The past that was asked for last: who looks at a table opens its cells next. */
  private past: { revision: number; roles: RoleIndex } | undefined

  constructor(private readonly environment: AccessEnvironment) {}

  authorizers = () => this.environment.row().map(({ by }) => by)
  leastRoles = leastRoles
  stillRefused = stillRefused

  async matrix({
    subject,
    namespace,
    verbs = API_VERBS,
    resources,
    paths = [],
    revision,
  }: MatrixQuestion): Promise<Matrix> {
    const moment = await this.at(revision)
    const { row, caveats } = withoutWebhooks(moment.row)
    const user = userOf(subject)
    const cell = (asked: AskedAttributes) => cellOf(row, moment.roles, { ...asked, user })
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
    const all = moment.isPast ? [...caveats, ...presentCaveats(row)] : caveats
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

  async explain({ subject, asked, revision }: ExplainQuestion): Promise<Explanation> {
    const moment = await this.at(revision)
    const user = userOf(subject)
    const attributes: Attributes = { ...asked, user }
    const { decision, ...told } = await askRow(moment.row, attributes)
    const usesRoles = moment.row.some(({ by }) => by.type === 'RBAC')
    const allowed = decision === 'allow'
    return {
      revision: moment.revision,
      user,
      allowed,
      ...told,
      chains: usesRoles ? await this.chains(ownWays(moment.roles, attributes), moment) : [],
      nearMisses: usesRoles && !allowed ? nearMisses(moment.roles, attributes) : [],
    }
  }

  async whoCan({ asked, revision }: WhoCanQuestion): Promise<WhoCan> {
    const moment = await this.at(revision)
    const { row, caveats } = withoutWebhooks(moment.row)
    const holders: Holder[] = []
    for (const { by, authorizer } of row) {
      const found = await authorizer.holders?.(asked)
      if (found === undefined)
        caveats.push({
          kind: 'untold',
          by,
          text: `The mode ${by.type} cannot tell whom it allows.`,
        })
      for (const one of found ?? []) {
        const [chain] = 'binding' in one ? await this.chains([one], moment) : []
        holders.push({ subject: one.subject, by, ...(chain ? { chain } : {}) })
      }
    }
    return {
      revision: moment.revision,
      holders,
      caveats: moment.isPast ? [...caveats, ...presentCaveats(row)] : caveats,
    }
  }

  async warnings(question: WarningsQuestion): Promise<ReachWarning[]> {
    if ('rules' in question) return question.rules.flatMap(reachesOf)
    const { subject, namespace, revision } = question
    const moment = await this.at(revision)
    const chains = await this.chains(heldBy(moment.roles, userOf(subject), namespace), moment)
    return chains.flatMap((chain) =>
      reachesOf(chain.rule as PolicyRule).map((warning) => ({ ...warning, chain })),
    )
  }

  /** @throws CompactedError, FutureRevisionError */
  private async at(revision: number | undefined): Promise<Moment> {
    const { storage, roles, row } = this.environment
    const now = storage.currentRevision()
    if (revision === undefined || revision === now) {
      await roles.ready()
      return { revision: now, isPast: false, roles, row: overRoles(row(), roles) }
    }
    if (this.past?.revision !== revision || revision < storage.compactRevision()) {
      const past = new RoleIndex(storage, revision)
      await past.ready()
      this.past = { revision, roles: past }
    }
    const { roles: then } = this.past
    return { revision, isPast: true, roles: then, row: overRoles(row(), then) }
  }

  /** Adds from which roles an aggregated one has the rule. */
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

/** Everything that somebody holds, rule by rule. */
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
  row: readonly Configured[],
  roles: RoleIndex,
  attributes: Attributes,
): Promise<Cell> {
  for (const { by, authorizer } of row) {
    const answer = authorizer.authorize(attributes)
    const { decision } = answer instanceof Promise ? await answer : answer
    if (decision === 'noOpinion') continue
    return { outcome: decision === 'allow' ? 'allowed' : 'refused', by }
  }
  const rbac = row.find(({ by }) => by.type === 'RBAC')
  const names = rbac && attributes.isResource ? allowedNames(roles, attributes) : []
  return rbac && names.length > 0 ? { outcome: 'some', by: rbac.by, names } : { outcome: 'refused' }
}

function onResource(
  { group, version, resource: full, namespaced }: AccessResource,
  verb: string,
  namespace: string,
): AskedAttributes {
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

function onPath(path: string, verb: string): AskedAttributes {
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
