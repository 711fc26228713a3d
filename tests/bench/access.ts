/**
 * Measures decisions about rights: one decision for a user with 1,000 bindings in 50 namespaces among 10,000 in the cluster, and the
 * page's questions over the same roles. The goals are 20 µs for a decision and a frame of 16 ms for a table of 60 resources × 10 verbs.
 *
 *   npm run bench:access
 */
import { accessQueries } from '../../src/engine/authorization/access-queries/access'
import type {
  AccessResource,
  AccessSubject,
} from '../../src/engine/authorization/access-queries/types'
import { RoleIndex } from '../../src/engine/authorization/rbac/role-index'
import { built } from '../authorization/building'
import { attributesOf, group, may, roleBook, user } from '../authorization/roles'

const NAMESPACES = 50
const OWN_BINDINGS = 1000
const ALL_BINDINGS = 10_000
const ROUNDS = 30
const DECISIONS = 5000

const VERBS = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'escalate',
  'bind',
]
const RESOURCES = Array.from(
  { length: 60 },
  (_, i): AccessResource => ({
    group: '',
    version: 'v1',
    resource: `kind-${i}s`,
    namespaced: true,
    verbs: VERBS,
  }),
)

interface Times {
  median: number
  best: number
}

/** Milliseconds that one run takes; the first third warms up. */
async function timed(run: () => unknown): Promise<Times> {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const begun = performance.now()
    await run()
    times.push(performance.now() - begun)
  }
  const warm = times.slice(ROUNDS / 3).sort((a, b) => a - b)
  return { median: warm[Math.floor(warm.length / 2)] ?? 0, best: warm[0] ?? 0 }
}

const rows: string[] = []
function report(name: string, { median, best }: Times, unit: string, per = 1): void {
  const shown = (milliseconds: number) =>
    ((milliseconds / per) * (unit === 'µs' ? 1000 : 1)).toFixed(2)
  rows.push(`${name.padEnd(66)} ${shown(median).padStart(9)} ${unit}   best ${shown(best)} ${unit}`)
}

const book = roleBook()
const kinds = [
  'configmaps',
  'secrets',
  'services',
  'endpoints',
  'events',
  ...RESOURCES.slice(0, 20).map(({ resource }) => resource),
]
await book.role(
  '',
  'reader',
  kinds.map((resource) => may('get,list,watch', resource)),
)
const namespaces = Array.from({ length: NAMESPACES }, (_, i) => `team-${i}`)
for (let i = 0; i < ALL_BINDINGS; i++) {
  const subject =
    i < OWN_BINDINGS ? user('jane') : i % 2 === 0 ? user(`user-${i}`) : group(`group-${i}`)
  await book.binding(namespaces[i % NAMESPACES] ?? '', `binding-${i}`, 'ClusterRole/reader', [
    subject,
  ])
}
const { storage } = book
const roles = new RoleIndex(storage)
const { authorizer, row } = built({ modes: ['Node', 'RBAC'] }, { storage })
const access = accessQueries({ storage, roles, row, resources: () => RESOURCES })
const jane = { name: 'jane', groups: ['developers', 'operators', 'system:authenticated'] }

const decide = async (verb: string, resource: string) => {
  const questions = namespaces.map((namespace) =>
    attributesOf(jane, verb, resource, namespace, { name: 'p' }),
  )
  for (const question of questions) await authorizer.authorize(question)
  return timed(() => {
    for (let i = 0; i < DECISIONS; i++)
      authorizer.authorize(questions[i % NAMESPACES] ?? attributesOf(jane, verb, resource))
  })
}

report(
  'a decision that nothing allows (every binding is looked at)',
  await decide('delete', 'pods'),
  'µs',
  DECISIONS,
)
report(
  'a decision that the first binding allows',
  await decide('get', 'configmaps'),
  'µs',
  DECISIONS,
)
const subject: AccessSubject = { kind: 'User', name: 'jane', groups: ['developers', 'operators'] }
const query = { subject, namespace: 'team-7', verbs: VERBS, resources: RESOURCES }
report('a table of 60 resources × 10 verbs', await timed(() => access.matrix(query)), 'ms')
const { user: _, ...requested } = attributesOf(jane, 'delete', 'pods', 'team-7', { name: 'p' })
report(
  'why a request is denied, with near misses',
  await timed(() => access.explain({ subject, attributes: requested })),
  'ms',
)
const { user: __, ...reading } = attributesOf(jane, 'get', 'secrets', 'team-7', { name: 's' })
report(
  'who can: 200 of 10,000 bindings',
  await timed(() => access.whoCan({ attributes: reading })),
  'ms',
)
const before = storage.currentRevision()
await book.role('', 'other', [may('get', 'nodes')])
const past = await timed(() => access.matrix({ ...query, revision: before }))
report('the same table of an earlier revision, again', past, 'ms')
console.log(rows.join('\n'))
