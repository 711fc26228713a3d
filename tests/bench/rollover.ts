/**
 * How much processor time it costs to roll a deployment of 1,000 pods over on 100 simulated nodes, everything running: controllers,
 * scheduler, nodes. The cluster's time is simulated, so that nothing is waited for.
 *
 *   npm run bench:rollover -- [--pods 1000] [--nodes 100]
 */
import { parseArgs } from 'node:util'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { TEST_RELEASE } from '../support/release'

const { values } = parseArgs({
  options: { pods: { type: 'string', default: '1000' }, nodes: { type: 'string', default: '100' } },
})
const [replicas, nodes] = [Number(values.pods), Number(values.nodes)]
const PATH = '/apis/apps/v1/namespaces/default/deployments'

const clock = new SimulatedClock()
let working = false
const server = createApiServer({
  release: TEST_RELEASE,
  clock,
  random: seededRandom(1),
  log: console,
  storage: createMemoryStorage(),
  tokens: 'admin,admin,1,"system:masters"',
  controllers: ['*'],
  scheduler: true,
  nodes,
  working: (now) => {
    working = now
  },
})

async function sendRequest(
  method: string,
  path: string,
  body?: object,
): Promise<{ status?: Record<string, number>; items?: unknown[] }> {
  const headers = {
    authorization: 'Bearer admin',
    'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
  }
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
  return (await server.fetch(new Request(`http://localhost${path}`, init))).json()
}

async function settled(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve))
  while (working)
}

/** Lets time pass from one due time to the next until the deployment is as it should be. @returns seconds of the cluster's time */
async function rolledOut(generation: number): Promise<number> {
  const begun = clock.now()
  for (;;) {
    await settled()
    const { status = {} } = await sendRequest('GET', `${PATH}/web`)
    const done =
      status.observedGeneration === generation &&
      status.updatedReplicas === replicas &&
      status.replicas === replicas
    if (done && status.availableReplicas === replicas) return (clock.now() - begun) / 1000
    clock.advance(Math.max(0, (clock.nextDue() ?? clock.now()) - clock.now()))
  }
}

async function measured(
  what: string,
  change: () => Promise<unknown>,
  generation: number,
): Promise<void> {
  const before = process.cpuUsage()
  const [writes, wall] = [server.storage.currentRevision(), performance.now()]
  await change()
  const seconds = await rolledOut(generation)
  const { user, system } = process.cpuUsage(before)
  const cpu = ((user + system) / 1e6).toFixed(2)
  const real = ((performance.now() - wall) / 1000).toFixed(2)
  console.log(
    `${what}: ${cpu} s of processor time (${real} s real, ${seconds} s of the cluster's), ${server.storage.currentRevision() - writes} writes`,
  )
}

const template = (image: string) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image }] },
})
const spec = { replicas, selector: { matchLabels: { app: 'web' } }, template: template('img:1') }

await sendRequest('GET', '/version')
for (let second = 0; second < 5; second++) {
  await settled()
  clock.advance(1000)
}
console.log(`${replicas} pods on ${nodes} nodes`)
await measured(
  'come to run',
  () =>
    sendRequest('POST', PATH, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec,
    }),
  1,
)
await measured(
  'roll over',
  () =>
    sendRequest('PATCH', `${PATH}/web`, {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'img:2' }] } } },
    }),
  2,
)
await server.close()
