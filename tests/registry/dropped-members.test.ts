/** Fields that kube-apiserver drops or validates regardless of the rest of the object. */
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type Causes, causes, testServer } from './server'

const NAMESPACE = '/api/v1/namespaces/default'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const containers = [{ name: 'c', image: 'i' }]

interface Specified extends KubeObject {
  spec: JsonObject & { template: JsonObject & { metadata: JsonObject; spec: JsonObject } }
}

const deployment = (template: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' }, ...metadata }, spec: template },
  },
})

/** A server where pods need no service account. */
async function server(featureGates: Record<string, boolean> = {}) {
  const made = testServer({ featureGates })
  await made.send('POST', `${NAMESPACE}/serviceaccounts`, { metadata: { name: 'default' } })
  return made
}

describe('the volumeAttributesClassName of an ephemeral volume', () => {
  const requests = (volumeAttributesClassName: string) => {
    const spec = {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      volumeAttributesClassName,
    }
    return { containers, volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec } } }] }
  }
  const pod = (name: string): JsonObject => ({ metadata: { name: 'p' }, spec: requests(name) })

  it('is dropped while its gate is off, in pods and in templates', async () => {
    const { send } = await server()
    const made = await send<Specified>('POST', `${NAMESPACE}/pods`, pod('A_b'))
    expect([made.status, JSON.stringify(made.body.spec)]).toEqual([
      201,
      expect.not.stringContaining('volumeAttributesClassName'),
    ])
    const other = await send<Specified>('POST', DEPLOYMENTS, deployment(requests('A_b')))
    expect([other.status, JSON.stringify(other.body.spec)]).toEqual([
      201,
      expect.not.stringContaining('volumeAttributesClassName'),
    ])
  })

  it('is validated while its gate is on', async () => {
    const { send } = await server({ VolumeAttributesClass: true })
    expect((await send('POST', `${NAMESPACE}/pods`, pod('A_b'))).status).toBe(422)
    const { status, body } = await send('POST', `${NAMESPACE}/pods`, pod('fast'))
    expect([status, JSON.stringify(body)]).toEqual([
      201,
      expect.stringContaining('"volumeAttributesClassName":"fast"'),
    ])
  })
})

describe('the resources of an ephemeral container', () => {
  const NOT_HERE = 'spec.template.spec.ephemeralContainers[0].resources'
  it.each<[JsonObject, boolean]>([
    [{}, false],
    [{ limits: {} }, true],
    [{ requests: {} }, true],
    [{ limits: { cpu: '1' } }, true],
  ])('are none if they are given, and be it empty: %j', async (resources, isWrong) => {
    const { send } = await server()
    const ephemeralContainers = [{ name: 'e', image: 'i', resources }]
    const { body } = await send<Causes>(
      'POST',
      DEPLOYMENTS,
      deployment({ containers, ephemeralContainers }),
    )
    const wrong = causes(body).filter((cause) => JSON.stringify(cause).includes(NOT_HERE))
    expect(wrong.length > 0).toBe(isWrong)
  })
})

describe('the annotations of beta init containers', () => {
  const annotations: JsonObject = { kept: 'x' }
  for (const level of ['alpha', 'beta'])
    for (const name of ['init-containers', 'init-container-statuses'])
      annotations[`pod.${level}.kubernetes.io/${name}`] = '[]'

  it('are dropped from pods on every write', async () => {
    const { send } = await server()
    const pods = `${NAMESPACE}/pods`
    const { body } = await send('POST', pods, {
      metadata: { name: 'p', annotations },
      spec: { containers },
    })
    expect(body.metadata.annotations).toEqual({ kept: 'x' })
    const patched = await send(
      'PATCH',
      `${pods}/p`,
      { metadata: { annotations } },
      'application/merge-patch+json',
    )
    expect(patched.body.metadata).toMatchObject({
      annotations: { kept: 'x' },
      resourceVersion: body.metadata.resourceVersion,
    })
  })

  it('are dropped from templates, and kept on an object that has one', async () => {
    const { send } = await server()
    const given = deployment({ containers }, { annotations })
    const { body } = await send<Specified>('POST', DEPLOYMENTS, {
      ...given,
      metadata: { name: 'd', annotations },
    })
    expect(body.spec.template.metadata.annotations).toEqual({ kept: 'x' })
    expect(Object.keys(body.metadata.annotations ?? {})).toHaveLength(5)
  })
})

describe('the name of a signer', () => {
  const signer = async (signerName: string) => {
    const { send } = await server()
    const request = {
      metadata: { name: 'x' },
      spec: { signerName, request: 'AAAA', usages: ['client auth'] },
    }
    const { body } = await send<Causes>(
      'POST',
      '/apis/certificates.k8s.io/v1/certificatesigningrequests',
      request,
    )
    return causes(body).filter((text) => text.includes('signerName'))
  }

  it('has at most 571 bytes, in addition to the limits of its parts', async () => {
    const domain = `${'a'.repeat(60)}.`.repeat(4) + 'b'.repeat(9)
    const path = `${'c'.repeat(200)}.${'d'.repeat(571 - 253 - 1 - 201)}`
    expect(domain).toHaveLength(253)
    expect(await signer(`${domain}/${path}`)).toEqual([])
    expect(await signer(`${domain}/${path}d`)).toEqual([
      expect.stringContaining('Too long: must have at most 571 bytes'),
    ])
    expect(await signer(`a.b/${'x'.repeat(600)}`)).toHaveLength(2)
  })
})
