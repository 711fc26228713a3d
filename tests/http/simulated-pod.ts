/** A pod on a simulated node. */
import { afterEach } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'
export const CORE = '/api/v1/namespaces/default'
export let cluster: Cluster
/** Call it in each file of tests: files share this module, so it registers no hooks itself. */
export function setUpEachTest(): void {
  afterEach(() => cluster.close())
}

export const create = (path: string, body: object) =>
  cluster.sendRequest({ method: 'POST', path, body })
export const podNow = async () => (await cluster.sendRequest({ path: `${CORE}/pods/web` })).json
export const log = (query = '') => cluster.sendRequest({ path: `${CORE}/pods/web/log${query}` })

export async function pod(
  {
    behavior,
    ...container
  }: {
    behavior?: string
    image?: string
    imagePullPolicy?: string
    command?: string[]
    stdin?: boolean
    stdinOnce?: boolean
    tty?: boolean
  } = {},
  seconds = 5,
): Promise<void> {
  const annotations = behavior === undefined ? {} : { 'simulation.kubetab/behavior': behavior }
  const containers = [{ name: 'c', image: 'img:1', ...container }]
  await create(`${CORE}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', annotations },
    spec: { nodeName: 'node-1', containers },
  })
  await cluster.pass(seconds)
}

export async function running(...args: Parameters<typeof pod>): Promise<void> {
  cluster = await testCluster({ nodes: 1 })
  await cluster.pass(1)
  await pod(...args)
}

/** A behavior with lines of all kinds. */
export const LOGGING = `
log:
- begins
- {after: 2, text: 'ready in {pod}'}
- {every: 10, text: 'tick {n}'}
`
