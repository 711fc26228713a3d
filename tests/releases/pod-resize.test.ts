/** The resize endpoint of pods, and how it changes between releases. */
import { beforeAll, describe, expect, it } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { sendRequest, testServer } from '../support/server'

beforeAll(() => loadTables('1.37'))

const PODS = '/api/v1/namespaces/default/pods'
const container = (resources: object, others: object = {}) => ({
  name: 'c',
  image: 'x',
  resources,
  ...others,
})
const RESOURCES = {
  requests: { cpu: '100m', memory: '64Mi' },
  limits: { cpu: '200m', memory: '64Mi' },
}

async function resizer(release = '1.37', spec: object = { containers: [container(RESOURCES)] }) {
  const server = testServer({ release })
  const send = (method: string, path: string, body: object, type = 'application/json') =>
    sendRequest(server, { method, path, body, headers: { 'content-type': type } })
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', {
    metadata: { name: 'default' },
  })
  const made = await send('POST', PODS, { metadata: { name: 'p' }, spec })
  expect(made.status, made.text).toBe(201)
  const patch = (body: object, endpoint = 'resize') =>
    send('PATCH', `${PODS}/p/${endpoint}`, body, 'application/strategic-merge-patch+json')
  return {
    patch,
    put: (body: object) => send('PUT', `${PODS}/p/resize`, body),
    pod: made.json,
    resize: (resources: object, others: object = {}) =>
      patch({ spec: { containers: [{ name: 'c', resources, ...others }] } }),
  }
}

describe('a resize', () => {
  it('changes amounts and the generation, and nothing else', async () => {
    const { resize, patch } = await resizer()
    const { json } = await resize({ requests: { cpu: '150m' } }, { image: 'y' })
    expect(json.metadata.generation).toBe(2)
    expect(json.spec.containers[0]).toMatchObject({
      image: 'x',
      resources: { requests: { cpu: '150m', memory: '64Mi' } },
    })
    const same = await patch({ metadata: { labels: { a: 'b' } } })
    expect(same.json.metadata).toMatchObject({ generation: 2 })
    expect(same.json.metadata).not.toHaveProperty('labels')
  })

  it.each([
    [{ requests: { cpu: '200m' } }, 'spec: Invalid value: "Burstable": Pod QOS Class may not'],
    [{ requests: { 'ephemeral-storage': '1Gi' } }, 'spec: Forbidden: only cpu and memory'],
    [
      { requests: { cpu: '1' } },
      'spec.containers[0].resources.requests: Invalid value: "1": must be less than or equal to',
    ],
    [
      { limits: { cpu: null } },
      'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
    ],
  ])('with %j is rejected', async (resources, message) => {
    const { resize } = await resizer()
    const { status, json } = await resize(resources)
    expect(status).toBe(422)
    expect(json.message).toContain(message)
  })

  it('keeps containers and their names', async () => {
    const { pod, put } = await resizer()
    const [only] = pod.spec.containers
    const renamed = { ...pod, spec: { ...pod.spec, containers: [{ ...only, name: 'd' }] } }
    expect((await put(renamed)).json.message).toContain(
      'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
    )
    const more = { ...pod, spec: { ...pod.spec, containers: [only, { ...only, name: 'd' }] } }
    expect((await put(more)).json.message).toContain(
      'spec.containers: Forbidden: containers may not be added or removed on resize',
    )
  })

  it('leaves init containers alone that do not run on', async () => {
    const { patch } = await resizer('1.37', {
      initContainers: [{ ...container(RESOURCES), name: 'i' }],
      containers: [container(RESOURCES)],
    })
    const { json } = await patch({
      spec: { initContainers: [{ name: 'i', resources: { requests: { cpu: '150m' } } }] },
    })
    expect(json.message).toContain(
      'spec.initContainers[0].resources: Forbidden: resources for non-sidecar init containers are immutable',
    )
  })

  it('needs a node that reports the resources of running containers', async () => {
    const { patch, resize } = await resizer()
    const running = { name: 'c', image: 'x', imageID: '', ready: true, restartCount: 0 }
    const report = (resources: object) =>
      patch(
        { status: { containerStatuses: [{ ...running, state: { running: {} }, ...resources }] } },
        'status',
      )
    await report({})
    expect((await resize({ requests: { cpu: '150m' } })).json.message).toContain(
      'spec: Forbidden: Pod running on node without support for resize',
    )
    await report({ resources: { requests: { cpu: '100m' } } })
    expect((await resize({ requests: { cpu: '150m' } })).status).toBe(200)
  })

  it('lowers a memory limit without a restart from 1.34 on', async () => {
    const less = { requests: { memory: '32Mi' }, limits: { memory: '32Mi' } }
    expect((await (await resizer('1.33')).resize(less)).json.message).toContain(
      'memory limits cannot be decreased unless resizePolicy is RestartContainer',
    )
    expect((await (await resizer('1.34')).resize(less)).status).toBe(200)
  })
})

it('validates resize policies, which the base release drops', async () => {
  const pod = (resizePolicy: object[]) => ({
    metadata: { name: 'q' },
    spec: { restartPolicy: 'Never', containers: [container({}, { resizePolicy })] },
  })
  const create = async (release: string, policies: object[]) => {
    const server = testServer({ release })
    const path = '/api/v1/namespaces/default/serviceaccounts'
    await sendRequest(server, { method: 'POST', path, body: { metadata: { name: 'default' } } })
    return (await sendRequest(server, { method: 'POST', path: PODS, body: pod(policies) })).json
  }
  const policies = [
    { resourceName: 'cpu', restartPolicy: 'Often' },
    { resourceName: 'cpu', restartPolicy: 'NotRequired' },
  ]
  const field = 'spec.containers[0].resizePolicy'
  expect((await create('1.37', policies)).message).toContain(
    `[${field}: Unsupported value: "Often": supported values: "NotRequired", "RestartContainer", ${field}: Invalid value: "Often": must be 'NotRequired' when pod \`restartPolicy\` is 'Never', ${field}[1]: Duplicate value: "cpu"]`,
  )
  expect((await create('1.31', policies)).spec.containers[0]).not.toHaveProperty('resizePolicy')
})
