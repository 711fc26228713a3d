/**
 * Measures calls of webhooks: what one adds to a request, next to the same call by a plain client that keeps its connection.
 *
 *   npm run bench:webhooks                    this server
 *   npm run bench:webhooks -- --count 500     so many requests a row; 300 otherwise
 *   npm run bench:webhooks -- --server URL --token T     some other server that reaches 127.0.0.1
 *   KUBE_APISERVER=PATH npm run bench:webhooks    this server and the real one, in turns of a few requests
 *
 * The last form fails when a call costs this server more than twice what it costs the real one.
 */
import { Agent, createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { bundleNodeHost, NODE_FLAGS } from '../../scripts/bundle-host'
import { servingCertificate } from '../../src/hosts/node/certificate'
import { freePort } from '../etcd/etcd'
import { median } from '../support/median'
import { rest, start, stop } from '../support/processes'
import { type Client, client, type Load, load, type TestResponse } from './client'
import { startRealServer } from './real-server'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    server: { type: 'string' },
    token: { type: 'string', default: 'admin-token' },
  },
})
const COUNT = Number(values.count)
const WARM_UP = 100

interface Review {
  kind: string
  apiVersion: string
  request: { uid: string; desiredAPIVersion?: string; objects?: { apiVersion: string }[] }
}

const connections = { count: 0 }
const calls = { count: 0 }
const { key, cert } = servingCertificate('bench', Date.now())
const hook = createServer({ key, cert }, (incoming, response) => {
  let body = ''
  incoming.on('data', (chunk: Buffer) => {
    body += chunk
  })
  incoming.on('end', () => {
    calls.count++
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(reviewed(JSON.parse(body) as Review)))
  })
})
hook.on('secureConnection', () => connections.count++)

function reviewed({
  kind,
  apiVersion,
  request: { uid, desiredAPIVersion, objects },
}: Review): object {
  const convertedObjects = objects?.map((object) => ({ ...object, apiVersion: desiredAPIVersion }))
  const response = objects
    ? { uid, result: { status: 'Success' }, convertedObjects }
    : { uid, allowed: true }
  return { kind, apiVersion, response }
}

await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done))
const address = `https://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`
const clientConfig = { url: address, caBundle: Buffer.from(cert).toString('base64') }
const REAL = process.env.KUBE_APISERVER
/** Requests of one server before the other has its turn. */
const TURN = 25
const LARGEST_FACTOR = 2

interface Subject {
  name: string
  client: Client
  stop?: () => Promise<void>
}

const subjects: Subject[] =
  values.server === undefined
    ? [await ownServer(), ...(REAL === undefined ? [] : [await realServer(REAL)])]
    : [{ name: values.server, client: client(values.server, values.token) }]

async function ownServer(): Promise<Subject> {
  const port = await freePort()
  const started = await start([
    ...NODE_FLAGS,
    await bundleNodeHost(),
    '--port=0',
    // Kube-apiserver has no other port, and TLS is a share of what a request costs.
    `--secure-port=${port}`,
    '--controllers=off',
    '--scheduler=off',
    '--nodes=0',
  ])
  await rest([started.pid])
  return {
    name: 'kubetab',
    client: client(`https://127.0.0.1:${port}`, values.token),
    stop: () => stop(started),
  }
}

async function realServer(binary: string): Promise<Subject> {
  const { url, token, stop } = await startRealServer(binary)
  return { name: 'kube-apiserver', client: client(url, token), stop }
}

const WIDGETS = '/apis/bench.example.com/v2/namespaces/default/widgets'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const directAgent = new Agent({
  keepAlive: true,
  ca: cert,
  allowPartialTrustChain: true,
} as ConstructorParameters<typeof Agent>[0])
const run = Math.random().toString(36).slice(2, 8)

try {
  const [plain] = await row('plain client, kept connection', [''], () => direct())
  const names = subjects.map(({ name }) => name)
  const without = await row('create configmap', names, (i, server) =>
    createConfigMap(server, `a-${i}`),
  )
  await send(
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    webhookConfiguration(),
  )
  await new Promise((done) => setTimeout(done, 1500))
  const validated = await row('create configmap, one webhook', names, (i, server) =>
    createConfigMap(server, `b-${i}`),
  )
  await send('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition())
  await new Promise((done) => setTimeout(done, 1500))
  await row('create in the other version', names, (i, server) =>
    server.send('POST', WIDGETS, { body: JSON.stringify(widget(`w-${i}`)) }),
  )
  const converted = await row('get through conversion', names, (i, server) =>
    server.send('GET', `${WIDGETS}/w-${i}`),
  )
  const added = validated.map((time, index) => time - (without[index] ?? 0))
  compare('a validating webhook adds', added, plain ?? 0)
  compare('a get through conversion takes', converted, plain ?? 0)
} finally {
  for (const { stop } of subjects) await stop?.()
  hook.close()
  hook.closeAllConnections()
}

/** @returns the median time of each server in milliseconds, all measured in turns */
async function row(
  what: string,
  names: string[],
  one: (i: number, server: Client) => Promise<TestResponse>,
): Promise<number[]> {
  const measured = names.map((name, index) => ({
    name,
    send: (i: number) => one(i, (subjects[index] as Subject).client),
    turns: [] as Load[],
    connections: 0,
    calls: 0,
  }))
  for (const { send } of measured) await load(WARM_UP, 1, send)
  for (let done = 0; done < COUNT; done += TURN)
    for (const own of measured) {
      const before = { connections: connections.count, calls: calls.count }
      own.turns.push(
        await load(Math.min(TURN, COUNT - done), 1, (i) => own.send(WARM_UP + done + i)),
      )
      own.connections += connections.count - before.connections
      own.calls += calls.count - before.calls
    }
  return measured.map(({ name, turns, connections, calls }) => {
    const p50 = median(turns.map((turn) => turn.p50))
    const p99 = Math.max(...turns.map((turn) => turn.p99))
    const per = (total: number) => (total / COUNT).toFixed(2)
    console.log(
      `${what.padEnd(30)} ${name.padEnd(15)} p50 ${p50.toFixed(2)} ms  slowest ${p99.toFixed(2)} ms  ${per(calls)} calls and ${per(connections)} connections a request`,
    )
    const failed = turns.reduce((sum, turn) => sum + turn.failed, 0)
    if (failed > 0) throw new Error(`${what}: ${failed} requests failed`)
    return p50
  })
}

/** Prints the times next to a plain call and to kube-apiserver; fails beyond the largest factor. */
function compare(what: string, [own = 0, real]: number[], plain: number): void {
  const neighbor =
    real === undefined
      ? ''
      : `, ${(own / real).toFixed(2)} times the real server's ${real.toFixed(2)} ms`
  console.log(`\n${what} ${own.toFixed(2)} ms: ${(own / plain).toFixed(1)} plain calls${neighbor}`)
  if (real !== undefined && own > LARGEST_FACTOR * real) process.exitCode = 1
}

/** The call that a webhook gets, from a client of one kept connection. */
function direct(): Promise<TestResponse> {
  const body = JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: { uid: 'u', object: widget('w') },
  })
  return new Promise((resolve, reject) => {
    const sent = request(address, { method: 'POST', agent: directAgent }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, bytes: text.length, text: () => text }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Creates the object at every server. */
async function send(path: string, body: object): Promise<void> {
  for (const { client } of subjects) {
    const { status, text } = await client.send('POST', path, { body: JSON.stringify(body) })
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${text()}`)
  }
}

function createConfigMap(server: Client, name: string): Promise<TestResponse> {
  const body = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${name}-${run}` },
    data: { a: 'x'.repeat(500) },
  }
  return server.send('POST', CONFIG_MAPS, { body: JSON.stringify(body) })
}

function widget(name: string): object {
  return {
    apiVersion: 'bench.example.com/v2',
    kind: 'Widget',
    metadata: { name },
    spec: { text: 'x'.repeat(500) },
  }
}

function webhookConfiguration(): object {
  const rules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
  ]
  const webhook = {
    name: 'bench.example.com',
    clientConfig,
    rules,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }
  return { metadata: { name: 'bench' }, webhooks: [webhook] }
}

function definition(): object {
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  }
  const versions = ['v1', 'v2'].map((name) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema,
  }))
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig, conversionReviewVersions: ['v1'] },
  }
  const names = { plural: 'widgets', kind: 'Widget' }
  return {
    metadata: { name: 'widgets.bench.example.com' },
    spec: { group: 'bench.example.com', scope: 'Namespaced', names, versions, conversion },
  }
}
