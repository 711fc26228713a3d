/**
 * Measures calls of webhooks: what one adds to a request, next to the same call by a plain client that keeps its connection.
 *
 *   npm run bench:webhooks                    this server
 *   npm run bench:webhooks -- --count 500     so many requests a row; 300 otherwise
 *   npm run bench:webhooks -- --server URL --token T     some other server that reaches 127.0.0.1
 *
 * The real server (release 1.31, on the machine of `reference.json`): get of a custom resource through a conversion webhook 7 to 9 ms; a
 * validating webhook adds 2 to 4 ms to a create. The goal is twice that at most.
 */
import { Agent, createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { bundleNodeHost, NODE_FLAGS } from '../../scripts/bundle-host'
import { servingCertificate } from '../../src/hosts/node/certificate'
import { rest, type Started, start, stop } from '../support/processes'
import { type Answer, client, type Load, load } from './client'

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
const own: Started | undefined =
  values.server === undefined
    ? await start([
        ...NODE_FLAGS,
        await bundleNodeHost(),
        '--port=0',
        '--controllers=off',
        '--scheduler=off',
        '--nodes=0',
      ])
    : undefined
const server = client(values.server ?? /https?:\S+/.exec(own?.line ?? '')?.[0] ?? '', values.token)

const WIDGETS = '/apis/bench.example.com/v2/namespaces/default/widgets'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const directAgent = new Agent({
  keepAlive: true,
  ca: cert,
  allowPartialTrustChain: true,
} as ConstructorParameters<typeof Agent>[0])
const run = Math.random().toString(36).slice(2, 8)

try {
  if (own) await rest([own.pid])
  const plain = await row('plain client, kept connection', () => direct())
  const without = await row('create configmap', (i) => createConfigMap(`a-${i}`))
  await send(
    'POST',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    webhookConfiguration(),
  )
  await new Promise((done) => setTimeout(done, 1500))
  const validated = await row('create configmap, one webhook', (i) => createConfigMap(`b-${i}`))
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition())
  await new Promise((done) => setTimeout(done, 1500))
  await row('create in the other version', (i) =>
    server.send('POST', WIDGETS, { body: JSON.stringify(widget(`w-${i}`)) }),
  )
  const converted = await row('get through conversion', (i) =>
    server.send('GET', `${WIDGETS}/w-${i}`),
  )
  const times = (part: number) => (part / plain.p50).toFixed(1)
  console.log(
    `\na validating webhook adds ${(validated.p50 - without.p50).toFixed(2)} ms: ${times(validated.p50 - without.p50)} plain calls`,
  )
  console.log(
    `a get through conversion takes ${converted.p50.toFixed(2)} ms: ${times(converted.p50)} plain calls`,
  )
} finally {
  if (own) await stop(own)
  hook.close()
  hook.closeAllConnections()
}

async function row(name: string, one: (i: number) => Promise<Answer>): Promise<Load> {
  await load(WARM_UP, 1, one)
  const before = { connections: connections.count, calls: calls.count }
  const measured = await load(COUNT, 1, (i) => one(WARM_UP + i))
  const per = (total: number) => (total / COUNT).toFixed(2)
  const made = `${per(calls.count - before.calls)} calls and ${per(connections.count - before.connections)} connections a request`
  console.log(
    `${name.padEnd(32)} p50 ${measured.p50.toFixed(2)} ms  p99 ${measured.p99.toFixed(2)} ms  ${made}`,
  )
  if (measured.failed > 0) throw new Error(`${name}: ${measured.failed} requests failed`)
  return measured
}

/** The call that a webhook gets, from a client of one kept connection. */
function direct(): Promise<Answer> {
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

async function send(method: string, path: string, body: object): Promise<void> {
  const { status, text } = await server.send(method, path, { body: JSON.stringify(body) })
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text()}`)
}

function createConfigMap(name: string): Promise<Answer> {
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
