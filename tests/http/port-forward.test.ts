/** Forwarded ports of simulated pods. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Pods, podsOn } from '../simulation/pods'

const AGNHOST = 'registry.k8s.io/e2e-test-images/agnhost:2.53'
const HEADERS: Record<string, string> = {
  upgrade: 'SPDY/3.1',
  connection: 'Upgrade',
  authorization: 'Bearer admin',
}
let pods: Pods
beforeAll(async () => {
  pods = await podsOn()
  const container = (image: string, args?: string[]) => ({
    containers: [{ name: 'c', image, ...(args && { args }) }],
  })
  await pods.pod('page', container('nginx'))
  await pods.pod('echo', container(AGNHOST, ['netexec']))
  await pods.pod('store', container('redis'))
  await pods.pod('quiet', container(AGNHOST, ['pause']))
})
afterAll(() => pods.cluster.close())

/** @param parts what the client sends, piece by piece */
async function forwarded(pod: string, port: number, parts: readonly string[]) {
  const { forwarding } = await pods.cluster.server.handle({
    method: 'GET',
    target: `/api/v1/namespaces/default/pods/${pod}/portforward?ports=${port}`,
    header: (name) => HEADERS[name],
    headerNames: () => Object.keys(HEADERS),
    body: async () => new Uint8Array(),
  })
  const seen = { text: '', failure: '', ended: false, leave: () => {} }
  const end = forwarding?.connect(port, {
    send: (content) => {
      seen.text += new TextDecoder().decode(content)
    },
    fail: (message) => {
      seen.failure = message
    },
    end: () => {
      seen.ended = true
    },
  })
  for (const part of parts) {
    end?.receive(new TextEncoder().encode(part))
    await pods.cluster.pass(0)
  }
  seen.leave = () => end?.ended()
  await pods.cluster.pass(0)
  return seen
}

const GET = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`

describe('a forwarded port', () => {
  it('reaches the program', async () => {
    const { text, ended } = await forwarded('page', 80, [GET('/')])
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*content-length: \d+\r\n\r\n<!DOCTYPE html>/s)
    expect(ended).toBe(false)
  })

  it('carries several requests, in pieces, and closes on request', async () => {
    const parts = [
      'GET /echo?msg=one HTT',
      'P/1.1\r\n\r\n',
      GET('/echo?msg=two', 'Connection: close\r\n'),
    ]
    const { text, ended } = await forwarded('echo', 8080, parts)
    expect(text.match(/\r\n\r\n\w+/g)?.map((found) => found.trim().slice(0, 3))).toEqual([
      'one',
      'two',
    ])
    expect(ended).toBe(true)
  })

  it('ends with its client', async () => {
    const seen = await forwarded('echo', 8080, [])
    seen.leave()
    expect(seen).toMatchObject({ text: '', failure: '', ended: true })
  })

  it.each<[string, string, number, string[], string]>([
    ['nothing listens', 'quiet', 80, [], 'dial tcp4 127.0.0.1:80: connect: connection refused'],
    [
      'the program has no HTTP',
      'store',
      6379,
      [GET('/')],
      'the response of the program is not simulated',
    ],
    [
      'the request is endless',
      'page',
      80,
      [`GET / HTTP/1.1\r\n${'a'.repeat(1_100_000)}`],
      'the request is too long',
    ],
  ])('fails where %s', async (_what, pod, port, parts, message) => {
    const seen = await forwarded(pod, port, parts)
    expect(seen.failure).toContain(message)
  })

  it('rejects what is not HTTP', async () => {
    const { text, ended } = await forwarded('page', 80, ['hello\r\n\r\n', ''])
    expect([text.slice(0, 24), ended]).toEqual(['HTTP/1.1 400 Bad Request', true])
  })
})
