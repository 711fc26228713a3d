/** Whatever is wrong with a request, every offered repair makes it pass. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Cluster } from '../support/cluster'
import { carryOut, isOk, repairCluster, review, send } from './support'

interface Case {
  user: 'admin' | 'alice'
  namespace: 'default' | 'shop' | 'missing'
  level: 'privileged' | 'baseline' | 'restricted'
  hard: Record<string, string>
  pod: object
}

const container = fc.record(
  {
    name: fc.constantFrom('web', 'Web', 'web_1'),
    image: fc.constant('nginx:1.27'),
    imagePullPolicy: fc.constantFrom('Always', 'always', 'Never', 'Sometimes'),
    imagePullPolice: fc.constant('Never'),
    resources: fc.constantFrom({ requests: { cpu: '2' } }, { limits: { memory: '64Mi' } }),
    securityContext: fc.constantFrom(
      { privileged: true },
      { capabilities: { add: ['SYS_ADMIN'] } },
      { runAsUser: 0 },
    ),
  },
  { requiredKeys: ['image'] },
)

const anyCase: fc.Arbitrary<Case> = fc.record({
  user: fc.constantFrom('admin', 'alice'),
  namespace: fc.constantFrom('default', 'shop', 'missing'),
  level: fc.constantFrom('privileged', 'baseline', 'restricted'),
  hard: fc.constantFrom<Record<string, string>>(
    {},
    { pods: '0' },
    { 'requests.cpu': '1' },
    { 'limits.memory': '100Mi', pods: '0' },
  ),
  pod: fc.record({
    apiVersion: fc.constant('v1'),
    kind: fc.constant('Pod'),
    metadata: fc.record({ name: fc.constantFrom('web', 'WEB') }),
    spec: fc.record(
      {
        containers: fc.array(container, { minLength: 1, maxLength: 2 }),
        restartPolicy: fc.constantFrom('Always', 'OnFailures', 'x'),
        hostNetwork: fc.boolean(),
      },
      { requiredKeys: ['containers'] },
    ),
  }),
})

const prepare = async (cluster: Cluster, { level, hard }: Case): Promise<void> => {
  const labels = { 'pod-security.kubernetes.io/enforce': level }
  await send(cluster, {
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels } },
  })
  await send(cluster, {
    method: 'POST',
    path: '/api/v1/namespaces/shop/resourcequotas',
    body: { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team' }, spec: { hard } },
  })
  await cluster.pass(10)
}

async function prepared<Result>(of: Case, run: (cluster: Cluster) => Promise<Result>) {
  const cluster = await repairCluster()
  try {
    await prepare(cluster, of)
    return await run(cluster)
  } finally {
    await cluster.close()
  }
}

const rejectedOf = ({ user, namespace, pod }: Case) => ({
  method: 'POST',
  path: `/api/v1/namespaces/${namespace}/pods?fieldValidation=Strict`,
  body: pod,
  user,
})

it('passes after every repair that is offered', { timeout: 120_000 }, async () => {
  let offered = 0
  await fc.assert(
    fc.asyncProperty(anyCase, async (of) => {
      const { repairs } = await prepared(of, (cluster) => review(cluster, rejectedOf(of)))
      for (const repair of repairs) {
        const response = await prepared(of, (cluster) => carryOut(cluster, repair, of.user))
        expect(isOk(response.status), `${repair.title}: ${response.text}`).toBe(true)
        offered++
      }
    }),
    { numRuns: 25, seed: 7 },
  )
  expect(offered).toBeGreaterThan(10)
})
