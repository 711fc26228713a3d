// cspell:ignore replicaof datagrams
/** Servers of agnhost that store what clients send. */
import { afterEach, expect, it } from 'vitest'
import { deployment } from '../support/cluster'
import { type Pods, podsOn } from './pods'

const AGNHOST = 'registry.k8s.io/e2e-test-images/agnhost:2.53'
let pods: Pods
afterEach(() => pods.cluster.close())

const proxied = async (path: string, method = 'GET') =>
  (await pods.cluster.sendRequest({ method, path: `/api/v1/namespaces/default/${path}` })).text

async function served(name: string, replicas: number, args: string[], port: number) {
  const container = { name: 'c', image: AGNHOST, args, ports: [{ containerPort: port }] }
  const template = { metadata: { labels: { app: name } }, spec: { containers: [container] } }
  await pods.cluster.sendRequest({
    method: 'POST',
    path: '/apis/apps/v1/namespaces/default/deployments',
    body: deployment(name, replicas, { template }),
  })
  await pods.create('services', {
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port }] },
  })
}

it('a guestbook keeps entries and copies them to its replicas', async () => {
  pods = await podsOn({ scheduler: true })
  const backend = ['--http-port', '6379']
  const ofPrimary = ['--replicaof', 'agnhost-primary']
  await served('agnhost-replica', 2, ['guestbook', ...ofPrimary, ...backend], 6379)
  await served('agnhost-primary', 1, ['guestbook', ...backend], 6379)
  await served('frontend', 2, ['guestbook', '--backend-port', '6379'], 80)
  await pods.cluster.pass(20)
  const response = (query: string) => proxied(`services/frontend/proxy/guestbook?${query}`)
  expect(await response('cmd=get&key=messages')).toBe('{"data":""}')
  expect(await response('cmd=set&key=messages&value=Hello')).toBe('{"message":"Updated"}')
  for (let replica = 0; replica < 2; replica++)
    expect(await response('cmd=get&key=messages')).toBe('{"data":"Hello"}')
  expect(await response('cmd=del&key=messages')).toBe("unsupported cmd: 'del'\n")
})

it('a replica of a guestbook ends without a primary', async () => {
  pods = await podsOn()
  const args = ['guestbook', '--replicaof', 'absent']
  await pods.pod('replica', {
    restartPolicy: 'Never',
    containers: [{ name: 'c', image: AGNHOST, args }],
  })
  await pods.cluster.pass(30)
  expect((await pods.get('pods/replica')).status.phase).toBe('Failed')
  expect(await pods.log('replica')).toMatch(/Timed out while registering to primary\.\n$/)
})

it('nettest counts who has contacted it, until it restarts', async () => {
  pods = await podsOn()
  const ports = [{ containerPort: 8080 }]
  await pods.pod('server', {
    containers: [{ name: 'c', image: AGNHOST, args: ['nettest'], ports }],
  })
  const ip = (await pods.get('pods/server')).status.podIP
  const command = ['wget', '-qO-', '--post-data={"Source":"tester"}', `http://${ip}:8080/write`]
  await pods.pod('tester', {
    containers: [
      {
        name: 'c',
        image: 'busybox',
        command: ['sleep', '600'],
        lifecycle: { preStop: { exec: { command } } },
      },
    ],
  })
  const received = async () => JSON.parse(await proxied('pods/server/proxy/read')).Received
  expect(await received()).toBe(null)
  await proxied('pods/tester', 'DELETE')
  await pods.cluster.pass(3)
  expect(await received()).toEqual({ tester: 1 })
})

it('porter repeats the method, and serves datagrams', async () => {
  pods = await podsOn()
  const env = [
    { name: 'SERVE_PORT_80', value: 'web' },
    { name: 'SERVE_UDP_PORT_81', value: 'datagram' },
  ]
  const args = ['porter', '--json-response']
  await pods.pod('porter', { containers: [{ name: 'c', image: AGNHOST, args, env }] })
  expect(await proxied('pods/porter/proxy/some/path', 'PUT')).toBe('{"Method":"PUT","Body":"web"}')
  expect(await pods.sh('porter', 'echo x | nc -u -w 1 localhost 81')).toBe('datagram')
})

it('porter serves TLS, which the proxy has to use', async () => {
  pods = await podsOn()
  const env = [
    { name: 'SERVE_PORT_80', value: 'plain' },
    { name: 'SERVE_TLS_PORT_443', value: 'secret' },
  ]
  await pods.pod(
    'porter',
    { containers: [{ name: 'c', image: AGNHOST, args: ['porter'], env }] },
    { labels: { app: 'porter' } },
  )
  await pods.create('services', {
    metadata: { name: 'porter' },
    spec: { selector: { app: 'porter' }, ports: [{ name: 'tls', port: 444, targetPort: 443 }] },
  })
  await pods.cluster.pass(2)
  expect(await proxied('pods/https:porter:443/proxy/')).toBe('secret')
  expect(await proxied('services/https:porter:tls/proxy/')).toBe('secret')
  expect(await proxied('pods/http:porter:443/proxy/')).toContain('HTTP request to an HTTPS server')
  expect(await proxied('pods/https:porter:80/proxy/')).toContain('HTTP response to HTTPS client')
})
