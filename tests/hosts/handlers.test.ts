/** Handlers in the page, as the engine of a browser calls them. */
import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it } from 'vitest'
import { BrowserEngine } from '../../src/hosts/shared/browser-engine'
import { type CallHandlers, type Handler, handlerAt } from '../../src/hosts/shared/handlers'
import { runningHandlers } from '../support/handlers'

const handler = (address: string, name = address): Handler => ({
  name,
  address,
  source: '',
  code: '',
})

describe('a handler is selected', () => {
  const handlers = [
    handler('https://a.example.com/x'),
    handler('https://a.example.com/x/y'),
    handler('default/readings'),
  ]
  const at = (url: string, service?: { namespace: string; name: string }) =>
    handlerAt(handlers, { url, ...(service ? { service } : {}) })?.address

  it('by the longest matching URL prefix', () => {
    expect(at('https://a.example.com/x?timeout=1s')).toBe('https://a.example.com/x')
    expect(at('https://a.example.com:443/x/y/z')).toBe('https://a.example.com/x/y')
    expect(at('https://a.example.com/xy')).toBeUndefined()
    expect(at('http://a.example.com/x')).toBeUndefined()
  })

  it('unless it came with a link and is disabled', () => {
    const off = { ...handler('https://a.example.com/x/y'), from: 'Mallory' }
    expect(handlerAt([off], { url: 'https://a.example.com/x/y' })).toBeUndefined()
    expect(
      handlerAt([off, handler('https://a.example.com/x')], { url: 'https://a.example.com/x/y' })
        ?.address,
    ).toBe('https://a.example.com/x')
    expect(
      handlerAt([{ ...handler('default/readings'), from: 'Mallory' }], {
        url: 'https://10.96.0.7',
        service: { namespace: 'default', name: 'readings' },
      }),
    ).toBeUndefined()
  })

  it('by the service it belongs to, on any port', () => {
    expect(at('https://10.96.0.7:443/apis', { namespace: 'default', name: 'readings' })).toBe(
      'default/readings',
    )
    expect(
      at('https://10.96.0.7:443/apis', { namespace: 'other', name: 'readings' }),
    ).toBeUndefined()
  })
})

let engine: BrowserEngine
let count = 0
const engineWith = (call?: CallHandlers): void => {
  engine = new BrowserEngine({ databaseName: `handlers-${++count}`, ...(call ? { call } : {}) })
}
const send = async (path: string, body: unknown) => {
  const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' }
  const response = await engine.fetch(
    new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    path,
  )
  return {
    status: response.status,
    json: (await response.json()) as { message: string; metadata: { labels?: object } },
  }
}
const keep = (handlers: Handler[]) => engine.respond({ kind: 'configure', request: { handlers } })
const configure = (url: string) =>
  send('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    metadata: { name: 'hook' },
    webhooks: [
      {
        name: 'hook.example.com',
        clientConfig: { url },
        rules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['configmaps'],
          },
        ],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  })
const create = () => send('/api/v1/namespaces/default/configmaps', { metadata: { name: 'x' } })

afterEach(() => engine?.drain())

describe('a configuration with the URL of a handler', () => {
  it('is called', async () => {
    engineWith(runningHandlers())
    const code = `function admit({ object }) { return [{ op: 'add', path: '/metadata/labels', value: { of: object.metadata.name } }] }`
    await keep([{ ...handler('https://hooks.example.com/label'), code }])
    await configure('https://hooks.example.com/label')
    expect(await create()).toMatchObject({
      status: 201,
      json: { metadata: { labels: { of: 'x' } } },
    })
  })

  it('calls the code current at the time of the request', async () => {
    engineWith(runningHandlers())
    await keep([
      {
        ...handler('https://hooks.example.com/label'),
        code: 'function admit() { return "first" }',
      },
    ])
    await configure('https://hooks.example.com/label')
    expect((await create()).json.message).toBe(
      'admission webhook "hook.example.com" denied the request: first',
    )
    await keep([
      {
        ...handler('https://hooks.example.com/label'),
        code: 'const admit = async () => ({ allowed: true })',
      },
    ])
    expect((await create()).status).toBe(201)
  })

  it('fails with the error that the code throws', async () => {
    engineWith(runningHandlers())
    await keep([
      {
        ...handler('https://hooks.example.com/label'),
        code: 'function admit() { throw new Error("broken") }',
      },
    ])
    await configure('https://hooks.example.com/label')
    expect((await create()).json.message).toContain(
      'an error on the server ("Error: broken") has prevented the request from succeeding',
    )
  })

  it('fails when the code returns an invalid or unserializable value', async () => {
    engineWith(runningHandlers())
    const verdicts = {
      'return 42': 'Error: admit returned 42; expected true, false, a string or a response object',
      'const a = {}; a.a = a; return { a }': 'TypeError: ',
    }
    for (const [body, reason] of Object.entries(verdicts)) {
      await keep([
        { ...handler('https://hooks.example.com/label'), code: `function admit() { ${body} }` },
      ])
      await configure('https://hooks.example.com/label')
      expect((await create()).json.message).toContain(`an error on the server ("${reason}`)
    }
    await keep([
      { ...handler('https://hooks.example.com/label'), code: 'function admit() { return null }' },
    ])
    expect((await create()).status).toBe(201)
  })

  it('fails as with an unreachable server while no page is open', async () => {
    engineWith()
    await keep([handler('https://hooks.example.com/label')])
    await configure('https://hooks.example.com/label')
    expect((await create()).json.message).toContain(
      'Post "https://hooks.example.com/label?timeout=10s": dial tcp 127.0.0.1:443: connect: connection refused',
    )
  })
})
