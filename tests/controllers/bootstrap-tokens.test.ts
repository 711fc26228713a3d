/** Controllers of bootstrap tokens (kubernetes.io, "Authenticating with Bootstrap Tokens"). */
import { createHmac } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

const SECRETS = '/api/v1/namespaces/kube-system/secrets'
const INFO = '/api/v1/namespaces/kube-public/configmaps'
const KUBECONFIG = 'apiVersion: v1\nkind: Config\n# für alle\n'

let cluster: Cluster
afterEach(() => cluster.close())

const make = (id: string, more: Record<string, string>) =>
  cluster.sendRequest({
    method: 'POST',
    path: SECRETS,
    body: {
      metadata: { name: `bootstrap-token-${id}` },
      type: 'bootstrap.kubernetes.io/token',
      stringData: { 'token-id': id, 'token-secret': '0123456789abcdef', ...more },
    },
  })

async function started(): Promise<void> {
  cluster = await testCluster()
  await cluster.sendRequest({
    method: 'POST',
    path: INFO,
    body: { metadata: { name: 'cluster-info' }, data: { kubeconfig: KUBECONFIG } },
  })
}

const signatures = async () => {
  await cluster.pass(1)
  const { json } = await cluster.sendRequest({ path: `${INFO}/cluster-info` })
  return json.data as Record<string, string>
}

it('a token with usage signing signs the cluster-info ConfigMap', async () => {
  await started()
  await make('abc123', { 'usage-bootstrap-signing': 'true' })
  const { 'jws-kubeconfig-abc123': signature = '', kubeconfig = '' } = await signatures()
  const [header = '', nothing, mac] = signature.split('.')
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
    alg: 'HS256',
    kid: 'abc123',
  })
  expect(nothing).toBe('')
  const payload = Buffer.from(kubeconfig).toString('base64url')
  expect(mac).toBe(
    createHmac('sha256', '0123456789abcdef').update(`${header}.${payload}`).digest('base64url'),
  )
})

it('signatures follow changes of the kubeconfig and of the tokens', async () => {
  await started()
  await make('abc123', { 'usage-bootstrap-signing': 'true' })
  await make('def456', {})
  await make('ghi789', { 'usage-bootstrap-signing': 'true', expiration: '2020-01-01T00:00:00Z' })
  const before = await signatures()
  expect(Object.keys(before)).toEqual(['jws-kubeconfig-abc123', 'kubeconfig'])
  const headers = { 'content-type': 'application/merge-patch+json' }
  await cluster.sendRequest({
    method: 'PATCH',
    path: `${INFO}/cluster-info`,
    headers,
    body: { data: { kubeconfig: 'other' } },
  })
  expect((await signatures())['jws-kubeconfig-abc123']).not.toBe(before['jws-kubeconfig-abc123'])
  await cluster.sendRequest({ method: 'DELETE', path: `${SECRETS}/bootstrap-token-abc123` })
  expect(Object.keys(await signatures())).toEqual(['kubeconfig'])
})

it('an expired token is deleted, and one without expiration stays', async () => {
  await started()
  const end = new Date(cluster.clock.now() + 60_000).toISOString()
  await make('abc123', { expiration: end })
  await make('def456', {})
  const status = async (id: string) =>
    (await cluster.sendRequest({ path: `${SECRETS}/bootstrap-token-${id}` })).status
  await cluster.pass(59)
  expect(await status('abc123')).toBe(200)
  await cluster.pass(2)
  expect(await status('abc123')).toBe(404)
  expect(await status('def456')).toBe(200)
})
