/**
 * What admission policies cost the headless server: creations a processor second without policies, under twenty policies of five
 * rules each that all look at what is created, and under twenty that look at something else; and how long a rule keeps a request
 * of one megabyte that takes more steps than it may.
 *
 *   npm run bench:policies -- [--count 10000] [--profile]
 *   npm run bench:policies -- --server URL --pid PID[,PID] [--token T]     some other server: so the real one was measured
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleNodeHost, NODE_FLAGS } from '../../scripts/bundle-host'
import { cpuSeconds, start, stop } from '../support/processes'
import { type Client, client, load } from './client'

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    profile: { type: 'boolean', default: false },
    server: { type: 'string' },
    pid: { type: 'string' },
    token: { type: 'string', default: 'admin-token' },
  },
})
const count = Number(options.count)
const IN_FLIGHT = 16
const POLICIES = 20
/** What policies are written for: counts, texts, lists, labels, parameters of the request. */
const RULES = [
  'object.data.size() <= 10',
  "object.metadata.name.startsWith('c-')",
  "has(object.metadata.labels) && object.metadata.labels.app != 'forbidden'",
  "object.data.all(key, key.matches('^[a-z]+$') && object.data[key].size() < 5000)",
  "request.operation == 'CREATE' || oldObject.metadata.name == object.metadata.name",
]
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const GROUP = '/apis/admissionregistration.k8s.io/v1'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

const policy = (name: string, resource: string, expressions: readonly string[]) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: [''],
          apiVersions: ['v1'],
          operations: ['CREATE', 'UPDATE'],
          resources: [resource],
        },
      ],
    },
    validations: expressions.map((expression) => ({ expression })),
  },
})

const binding = (name: string) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: name, validationActions: ['Deny'] },
})

async function made(server: Client, path: string, object: unknown): Promise<void> {
  const { status, text } = await server.send('POST', path, { body: JSON.stringify(object) })
  if (status !== 201) throw new Error(`${path}: ${status} ${text()}`)
}

async function withPolicies(
  server: Client,
  resource: string,
  rules: readonly string[],
  policies: number,
  run: () => Promise<void>,
) {
  const names = Array.from({ length: policies }, (_, index) => `bench-${index}`)
  for (const name of names) {
    await made(server, `${GROUP}/validatingadmissionpolicies`, policy(name, resource, rules))
    await made(server, `${GROUP}/validatingadmissionpolicybindings`, binding(name))
  }
  await settled()
  await run()
  for (const name of names) {
    await server.send('DELETE', `${GROUP}/validatingadmissionpolicybindings/${name}`)
    await server.send('DELETE', `${GROUP}/validatingadmissionpolicies/${name}`)
  }
  await settled()
}

/** Ours acts on a policy at once; kube-apiserver looks for changed ones every second or so. */
const settled = () => new Promise((resolve) => setTimeout(resolve, own ? 0 : 5000))

const configMap = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { app: 'bench' } },
  data: { key: 'v'.repeat(1000), n: '1' },
})

/** Requests a processor second of the processes. */
async function rate(
  pids: number[],
  requests: number,
  one: (index: number) => Promise<unknown>,
): Promise<number> {
  const before = cpuSeconds(pids)
  await load(requests, IN_FLIGHT, one as Parameters<typeof load>[2])
  return requests / (cpuSeconds(pids) - before)
}

const profile = options.profile
  ? ['--cpu-prof', `--cpu-prof-dir=${here('../../.cache/profiles')}`]
  : []
const own = options.server
  ? undefined
  : await start([
      ...NODE_FLAGS,
      ...profile,
      await bundleNodeHost(),
      '--port=0',
      '--controllers=off',
      '--scheduler=off',
      '--nodes=0',
    ])
const pids = own ? [own.pid] : (options.pid ?? '').split(',').map(Number)
const floor = await start([here('./floor-server.mjs')])
try {
  const server = client(
    options.server ?? /https?:\S+/.exec(own?.line ?? '')?.[0] ?? '',
    options.token,
  )
  const bare = client(`http://127.0.0.1:${floor.line}`, 'admin-token')
  await made(server, '/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
  }).catch(() => undefined)
  let made201 = 0
  const create = async (prefix: string, index: number) => {
    const response = await server.send('POST', CONFIG_MAPS, {
      body: JSON.stringify(configMap(`c-${prefix}-${index}`)),
    })
    if (response.status !== 201) throw new Error(`${response.status} ${response.text()}`)
    made201++
    return response
  }
  const post = { body: 'x'.repeat(1200) }
  await load(500, IN_FLIGHT, (index) => create('warm', index))
  await load(500, IN_FLIGHT, () => bare.send('POST', '/?bytes=1200', post))
  const bareRate = await rate([floor.pid], 10_000, () => bare.send('POST', '/?bytes=1200', post))
  const { rows } = JSON.parse(readFileSync(here('./reference.json'), 'utf8')) as {
    rows: Record<string, { perCpuSecondOfFloor: number }>
  }
  const reference = rows['create configmap 1 KB']?.perCpuSecondOfFloor ?? Number.NaN
  const row = (name: string, measured: number) =>
    console.log(
      `${name.padEnd(52)} ${measured.toFixed(0).padStart(7)} /CPU s  ${(measured / bareRate).toFixed(3)} of a bare server, ${(measured / bareRate / reference).toFixed(1)} times the reference`,
    )
  row('creations without policies', await rate(pids, count, (index) => create('a', index)))
  await withPolicies(server, 'secrets', RULES, POLICIES, async () => {
    row(
      `under ${POLICIES} policies for something else`,
      await rate(pids, count, (index) => create('b', index)),
    )
  })
  await withPolicies(server, 'configmaps', RULES, POLICIES, async () => {
    row(
      `under ${POLICIES} policies with ${RULES.length} rules each`,
      await rate(pids, count, (index) => create('c', index)),
    )
  })
  console.log(`${made201 - 500} objects made`)
  const large = {
    ...configMap('c-large'),
    data: Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [`key-${i}`, 'v'.repeat(1000)]),
    ),
  }
  const body = JSON.stringify(large)
  const timed = async (isExpected: (text: string) => boolean): Promise<number[]> => {
    const times: number[] = []
    for (let round = 0; round < 9; round++) {
      const began = performance.now()
      const response = await server.send('POST', `${CONFIG_MAPS}?dryRun=All`, { body })
      times.push(performance.now() - began)
      if (!isExpected(response.text()))
        throw new Error(`${response.status} ${response.text().slice(0, 500)}`)
    }
    return [times[0] ?? Number.NaN, times.sort((a, b) => a - b)[4] ?? Number.NaN]
  }
  const [, plain = Number.NaN] = await timed((text) => text.includes('"uid"'))
  await withPolicies(
    server,
    'configmaps',
    ['object.data.all(a, object.data.all(b, a.size() + b.size() > 0))'],
    1,
    async () => {
      const [first = Number.NaN, then = Number.NaN] = await timed((text) =>
        text.includes('actual cost limit exceeded'),
      )
      console.log(
        `${(body.length / 1e6).toFixed(2)} MB, a rule beyond its budget: rejected in ${then.toFixed(0)} ms, the first time in ${first.toFixed(0)} ms (goal: 50 ms); without the policy it is accepted in ${plain.toFixed(0)} ms`,
      )
    },
  )
} finally {
  await stop(floor)
  if (own) await stop(own)
}
