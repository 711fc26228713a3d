/** The stages of a request, up to the one that ended it. */
import { expect, it } from 'vitest'
import type { Trace } from '../../src/engine/telemetry/trace'
import { configMap, sendRequest, testServer } from '../support/server'

const COLLECTION = '/api/v1/namespaces/default/configmaps'

async function traceOf(path: string, body?: unknown, token = 'admin'): Promise<Trace> {
  let ticks = 0
  const server = testServer({ stopwatch: () => ticks++ })
  const traces: Trace[] = []
  server.onTrace((trace) => traces.push(trace))
  const { headers } = await sendRequest(server, {
    method: body === undefined ? 'GET' : 'POST',
    path,
    body,
    token,
  })
  expect(traces.map(({ id }) => id)).toEqual([headers.get('audit-id')])
  return traces[0] as Trace
}

const stagesOf = ({ spans }: Trace): string[] => [...new Set(spans.map(({ stage }) => stage))]

it('of a create are all of them, in order', async () => {
  expect(stagesOf(await traceOf(COLLECTION, configMap('a')))).toEqual([
    'authentication',
    'authorization',
    'routing',
    'decoding',
    'ownership',
    'mutating admission',
    'strategy',
    'validation',
    'validating admission',
    'storage',
    'encoding',
  ])
})

it('end where the request was rejected', async () => {
  const forbidden = await traceOf(COLLECTION, configMap('a'), 'alice')
  expect(stagesOf(forbidden).at(-1)).toBe('authorization')
  expect(forbidden.authorization?.decision).toBe('forbid')

  const missing = await traceOf('/api/v1/namespaces/nowhere/configmaps', configMap('a'))
  expect(missing.spans.at(-1)).toMatchObject({
    stage: 'mutating admission',
    part: 'NamespaceLifecycle',
  })
  expect(missing.failure).toBe('namespaces "nowhere" not found')

  const invalid = await traceOf(COLLECTION, configMap('Not A Name'))
  expect(stagesOf(invalid).at(-1)).toBe('validation')
})

it('follow each other without gaps', async () => {
  const { spans } = await traceOf(COLLECTION, configMap('a'))
  spans.slice(1).forEach(({ start }, i) => {
    const before = spans[i]
    expect(start).toBe((before?.start ?? 0) + (before?.duration ?? 0))
  })
})

it('of a write has its revision, and of a deletion the uid', async () => {
  const server = testServer()
  const traces: Trace[] = []
  server.onTrace((trace) => traces.push(trace))
  const send = async (method: string, path: string, body?: unknown) =>
    (await sendRequest(server, { method, path, body })).json as {
      metadata: { uid: string; resourceVersion: string }
    }
  const { metadata } = await send('POST', COLLECTION, configMap('a'))
  expect(traces.at(-1)?.written).toEqual({ revision: Number(metadata.resourceVersion) })
  await send('GET', `${COLLECTION}/a`)
  expect(traces.at(-1)?.written).toBeUndefined()
  await send('DELETE', `${COLLECTION}/a?dryRun=All`)
  expect(traces.at(-1)?.written).toBeUndefined()
  await send('DELETE', `${COLLECTION}/a`)
  expect(traces.at(-1)?.written).toEqual({ deleted: metadata.uid })
})
