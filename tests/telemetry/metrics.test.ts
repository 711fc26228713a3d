/** Metrics in `/metrics`: values, labels and text format. */
import { expect, it } from 'vitest'
import { requestInfo } from '../../src/engine/http/request-info'
import { Histogram, Numbers } from '../../src/engine/telemetry/instruments'
import { ServerMetrics } from '../../src/engine/telemetry/server-metrics'
import { Trace } from '../../src/engine/telemetry/trace'
import { configMap, sendRequest, testServer } from '../support/server'

const about = { stability: 'ALPHA', help: 'Help.', labels: ['a', 'b'] } as const
const newCounter = () => new Numbers('x_total', { ...about, type: 'counter' })
const newHistogram = (buckets: number[]) =>
  new Histogram('x_total', { ...about, type: 'histogram', buckets })
const COLLECTION = '/api/v1/namespaces/default/configmaps'

function linesOf(instrument: { write(lines: string[]): void }): string[] {
  const lines: string[] = []
  instrument.write(lines)
  return lines
}

it('sorts and escapes labels', () => {
  const numbers = newCounter()
  numbers.at({ b: 'print "hi"\n', a: '\\' }).value += 2
  expect(linesOf(numbers)).toEqual([
    '# HELP x_total [ALPHA] Help.',
    '# TYPE x_total counter',
    'x_total{a="\\\\",b="print \\"hi\\"\\n"} 2',
  ])
})

it('formats numbers as Go does, including bucket bounds', () => {
  const numbers = newCounter()
  numbers.at({}).value = 1234567
  expect(linesOf(numbers).at(-1)).toBe('x_total 1.234567e+06')
  const histogram = newHistogram([0.005, 1e5, 1e6])
  for (const value of [1, 2e6]) histogram.at({}).observe(value)
  expect(linesOf(histogram).slice(2)).toEqual([
    'x_total_bucket{le="0.005"} 0',
    'x_total_bucket{le="100000"} 1',
    'x_total_bucket{le="1e+06"} 1',
    'x_total_bucket{le="+Inf"} 2',
    'x_total_sum 2.000001e+06',
    'x_total_count 2',
  ])
})

it.each([
  ['DELETE', COLLECTION, 'DELETE', 'namespace'],
  ['GET', `${COLLECTION}?fieldSelector=metadata.name%3Da`, 'LIST', 'namespace'],
  ['GET', `${COLLECTION}/a`, 'GET', 'resource'],
  ['HEAD', '/api/v1/configmaps', 'LIST', 'cluster'],
  ['GET', '/api/v1/namespaces/default/pods/a/log', 'CONNECT', 'resource'],
  ['POST', '/api/v1/namespaces/default/pods/a/exec', 'CONNECT', 'resource'],
  ['OPTIONS', COLLECTION, 'other', 'namespace'],
  ['HEAD', '/version', 'GET', ''],
  ['OPTIONS', '/version', 'other', ''],
])('%s %s is counted as %s of a %s', async (method, path, verb, scope) => {
  const server = testServer()
  await sendRequest(server, { method, path })
  const { text } = await sendRequest(server, { path: '/metrics' })
  const counted = text.split('\n').filter((line) => line.startsWith('apiserver_request_total'))
  expect(
    counted.some((line) => line.includes(`scope="${scope}"`) && line.includes(`verb="${verb}"`)),
  ).toBe(true)
})

it('measures response sizes of read requests only', async () => {
  const server = testServer()
  await sendRequest(server, { method: 'POST', path: COLLECTION, body: configMap('a') })
  await sendRequest(server, { path: COLLECTION })
  const { text } = await sendRequest(server, { path: '/metrics' })
  const verbs = [...text.matchAll(/^apiserver_response_sizes_count.*verb="(\w+)"/gm)].map(
    ([, verb]) => verb,
  )
  expect(verbs).toEqual(['LIST'])
})

it('exposes the build information of /version', async () => {
  const server = testServer()
  const { json } = await sendRequest(server, { path: '/version' })
  const { text } = await sendRequest(server, { path: '/metrics' })
  const labels = {
    ...json,
    git_version: json.gitVersion,
    git_commit: json.gitCommit,
    build_date: json.buildDate,
    go_version: json.goVersion,
  }
  const names = ['build_date', 'compiler', 'git_commit']
  const reported = /^kubernetes_build_info\{(.*)\} 1$/m.exec(text)?.[1] ?? ''
  expect(reported.split(',').slice(0, 3)).toEqual(names.map((name) => `${name}="${labels[name]}"`))
  expect(reported.replace(/="[^"]*"/g, '')).toBe(
    'build_date,compiler,git_commit,git_tree_state,git_version,go_version,major,minor,platform',
  )
})

it('exposes no series without observations', () => {
  expect(linesOf(newCounter())).toEqual([])
  const histogram = newHistogram([1])
  histogram.at({ a: 'b' })
  expect(linesOf(histogram)).toEqual([])
})

it('cumulates the buckets of a histogram', () => {
  const histogram = newHistogram([0.1, 1, 10])
  for (const value of [0.05, 0.1, 0.5, 99]) histogram.at({}).observe(value)
  expect(linesOf(histogram).slice(2)).toEqual([
    'x_total_bucket{le="0.1"} 2',
    'x_total_bucket{le="1"} 3',
    'x_total_bucket{le="10"} 3',
    'x_total_bucket{le="+Inf"} 4',
    'x_total_sum 99.65',
    'x_total_count 4',
  ])
})

async function samples(server: ReturnType<typeof testServer>): Promise<string[]> {
  const { text, headers } = await sendRequest(server, { path: '/metrics' })
  expect(headers.get('content-type')).toBe(
    'text/plain; version=0.0.4; charset=utf-8; escaping=values',
  )
  return text.split('\n')
}

it('counts requests by verb, resource and code', async () => {
  const server = testServer()
  await sendRequest(server, { method: 'POST', path: COLLECTION, body: configMap('a') })
  await sendRequest(server, { method: 'POST', path: COLLECTION, body: configMap('a') })
  await sendRequest(server, {
    method: 'POST',
    path: `${COLLECTION}?dryRun=All`,
    body: configMap('b'),
  })
  await sendRequest(server, { path: COLLECTION })
  await sendRequest(server, { path: '/api/v1/configmaps' })
  await sendRequest(server, { path: '/version' })
  const lines = await samples(server)
  const count = (labels: string) =>
    lines
      .find((line) => line.startsWith(`apiserver_request_total{${labels}}`))
      ?.split(' ')
      .pop()
  const of = (code: number, dryRun: string, scope: string, verb: string) =>
    `code="${code}",component="apiserver",dry_run="${dryRun}",group="",resource="configmaps",scope="${scope}",subresource="",verb="${verb}",version="v1"`
  expect(count(of(201, '', 'resource', 'POST'))).toBe('1')
  expect(count(of(409, '', 'resource', 'POST'))).toBe('1')
  expect(count(of(201, 'All', 'resource', 'POST'))).toBe('1')
  expect(count(of(200, '', 'namespace', 'LIST'))).toBe('1')
  expect(count(of(200, '', 'cluster', 'LIST'))).toBe('1')
  expect(
    count(
      'code="200",component="apiserver",dry_run="",group="",resource="",scope="",subresource="/version",verb="GET",version=""',
    ),
  ).toBe('1')
})

const requestsCounted = (lines: string[]) =>
  lines.filter((line) => line.startsWith('apiserver_request_total{'))

it('counts requests for unserved paths as one series', async () => {
  const server = testServer()
  const paths = (i: number) => [
    `/nothing-${i}`,
    `/apis/made-up-${i}.io/v1/things`,
    `/api/v1/things-${i}`,
    `${COLLECTION}/a/part-${i}`,
  ]
  for (let i = 0; i < 5; i++)
    for (const path of paths(i)) expect((await sendRequest(server, { path })).status).toBe(404)
  const nameless =
    'code="404",component="apiserver",dry_run="",group="",resource="",scope="",subresource="",verb="GET",version=""'
  expect(requestsCounted(await samples(server))).toEqual([
    `apiserver_request_total{${nameless}} 20`,
  ])
})

it('limits the label values of requests rejected before their resource is resolved', () => {
  const metrics = new ServerMetrics(() => 0)
  const reject = (resource: string) => {
    const trace = new Trace('', 'GET', '', '', 0, () => 0)
    trace.attributes = requestInfo('GET', `/api/v1/${resource}`)
    trace.status = 403
    metrics.begin(trace)
    metrics.responded(trace, 10, false)
  }
  for (let i = 0; i < 1500; i++) reject(`things-${i}`)
  reject('things-0')
  const none = {
    objects: new Map(),
    bytes: undefined,
    gates: [],
    aggregated: new Map(),
    build: {},
    release: '1.31',
    showsHidden: false,
  }
  const lines = requestsCounted(metrics.text(none).split('\n'))
  const countOf = (resource: string) =>
    Number(
      lines
        .find((line) => line.includes(`resource="${resource}"`))
        ?.split(' ')
        .pop(),
    )
  expect(lines).toHaveLength(1001)
  expect(countOf('things-0')).toBe(2)
  expect(countOf('')).toBe(500)
})

it('distinguishes server-side apply from other patches', async () => {
  const server = testServer()
  const headers = { 'content-type': 'application/apply-patch+yaml' }
  await sendRequest(server, {
    method: 'PATCH',
    path: `${COLLECTION}/a?fieldManager=me`,
    body: configMap('a'),
    headers,
  })
  const lines = await samples(server)
  expect(
    lines.some(
      (line) => line.startsWith('apiserver_request_total') && line.includes('verb="APPLY"'),
    ),
  ).toBe(true)
})

it('measures admission by plugin, and rejections', async () => {
  const server = testServer()
  await sendRequest(server, {
    method: 'POST',
    path: '/api/v1/namespaces/nowhere/configmaps',
    body: configMap('a'),
  })
  const lines = await samples(server)
  const plugin =
    'apiserver_admission_controller_admission_duration_seconds_count{name="NamespaceLifecycle",operation="CREATE"'
  expect(lines).toContain(`${plugin},rejected="true",type="admit"} 1`)
  expect(lines).toContain(
    'apiserver_admission_step_admission_duration_seconds_count{operation="CREATE",rejected="true",type="admit"} 1',
  )
})

it('counts stored objects, and open watches with their events', async () => {
  const server = testServer()
  const headers = { authorization: 'Bearer admin' }
  const watch = await server.fetch(
    new Request(`http://localhost${COLLECTION}?watch=1`, { headers }),
  )
  await sendRequest(server, { method: 'POST', path: COLLECTION, body: configMap('a') })
  const open = await samples(server)
  const watchers =
    'apiserver_longrunning_requests{component="apiserver",group="",resource="configmaps",scope="namespace",subresource="",verb="WATCH",version="v1"}'
  expect(open).toContain(`${watchers} 1`)
  expect(open).toContain('apiserver_watch_events_total{group="",kind="ConfigMap",version="v1"} 1')
  expect(open).toContain('apiserver_storage_objects{resource="configmaps"} 2')
  const duration = (lines: string[]) =>
    lines.filter(
      (line) =>
        line.startsWith('apiserver_request_duration_seconds_count{') &&
        line.includes('verb="WATCH"'),
    )
  expect(duration(open)).toEqual([])
  await watch.body?.cancel()
  const closed = await samples(server)
  expect(closed).toContain(`${watchers} 0`)
  // The duration of a stream is observed at its end.
  expect(duration(closed)).toEqual([expect.stringMatching(/ 1$/)])
})

it('counts every requested health check', async () => {
  const server = testServer({ health: (check) => (check === 'etcd' ? 'no response' : undefined) })
  for (const path of ['/livez', '/readyz']) await sendRequest(server, { path })
  const { text } = await sendRequest(server, { path: '/metrics/slis' })
  expect(text).toContain('kubernetes_healthcheck{name="etcd",type="readyz"} 0')
  expect(text).toContain('kubernetes_healthcheck{name="ping",type="livez"} 1')
})

it('requires authorization', async () => {
  expect((await sendRequest(testServer(), { path: '/metrics', token: 'alice' })).status).toBe(403)
})
