import { beforeAll, describe, expect, it } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import type { Release } from '../../src/engine/releases/release'
import { testServer } from '../admission/server'

beforeAll(() => loadTables('1.37'))

const NETWORKING = '/apis/networking.k8s.io/v1'

async function created(release: Release, path: string, body: Record<string, unknown>) {
  const server = testServer({ release })
  await server.namespace('team')
  const { status, body: object, warnings } = await server.send('POST', path, body)
  const message = (object.message ?? '').replace(/^[^ ]+ "[^ ]+" is invalid: /, '')
  return [status, message, warnings]
}

const service = (spec: Record<string, unknown>) => ({
  metadata: { name: 'a' },
  spec: { ports: [{ port: 80 }], ...spec },
})

describe('addresses with leading zeros, and mapped ones', () => {
  const mapped = service({ externalIPs: ['::ffff:1.2.3.4'] })

  it('are rejected since 1.36', async () => {
    expect(await created('1.37', '/api/v1/namespaces/team/services', mapped)).toEqual([
      422,
      'spec.externalIPs[0]: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
      '',
    ])
    const padded = service({ clusterIP: '010.96.0.9' })
    expect(await created('1.37', '/api/v1/namespaces/team/services', padded)).toEqual([
      422,
      'spec.clusterIPs[0]: Invalid value: "010.96.0.9": must not have leading 0s',
      '',
    ])
  })

  it('get a warning before, with a new text since 1.33', async () => {
    expect(await created('1.35', '/api/v1/namespaces/team/services', mapped)).toEqual([
      201,
      '',
      '299 - "spec.externalIPs[0]: non-standard IP address \\"::ffff:1.2.3.4\\" will be considered invalid in a future Kubernetes release: use \\"1.2.3.4\\""',
    ])
  })

  it('are rejected in CIDRs, like bits beyond the prefix', async () => {
    const policy = {
      metadata: { name: 'a' },
      spec: {
        podSelector: {},
        ingress: [{ from: [{ ipBlock: { cidr: '1.2.3.4/8', except: ['01.2.0.0/16'] } }] }],
      },
    }
    const path = `${NETWORKING}/namespaces/team/networkpolicies`
    const at = 'spec.ingress[0].from[0].ipBlock'
    expect(await created('1.37', path, policy)).toEqual([
      422,
      `[${at}.cidr: Invalid value: "1.2.3.4/8": must not have bits set beyond the prefix length, ${at}.except[0]: Invalid value: "01.2.0.0/16": must not have leading 0s in IP or prefix length]`,
      '',
    ])
    expect((await created('1.35', path, policy))[0]).toBe(201)
  })
})

describe('IPAddresses and ServiceCIDRs', () => {
  it('have new texts since 1.33', async () => {
    const address = { metadata: { name: '010.0.0.1' }, spec: {} }
    expect(await created('1.37', `${NETWORKING}/ipaddresses`, address)).toEqual([
      422,
      '[metadata.name: Invalid value: "010.0.0.1": must not have leading 0s, spec.parentRef: Required value]',
      '',
    ])
    const ranges = (...cidrs: string[]) => ({ metadata: { name: 'a' }, spec: { cidrs } })
    expect(
      await created('1.37', `${NETWORKING}/servicecidrs`, ranges('10.0.0.0/8', '11.0.0.0/8')),
    ).toEqual([
      422,
      'spec.cidrs: Invalid value: ["10.0.0.0/8","11.0.0.0/8"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      '',
    ])
    expect(await created('1.37', `${NETWORKING}/servicecidrs`, ranges('010.0.0.0/8', 'x'))).toEqual(
      [
        422,
        '[spec.cidrs[0]: Invalid value: "010.0.0.0/8": must not have leading 0s in IP or prefix length, spec.cidrs[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)]',
        '',
      ],
    )
  })
})

describe('rules of newer kinds and members', () => {
  it('lists errors of tags of a ReplicationController last', async () => {
    const controller = { metadata: { name: 'a' }, spec: { replicas: -1, minReadySeconds: -1 } }
    const path = '/api/v1/namespaces/team/replicationcontrollers'
    expect((await created('1.37', path, controller))[1]).toBe(
      '[spec.selector: Required value, spec.template: Required value, spec.replicas: Invalid value: -1: must be greater than or equal to 0, spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0]',
    )
  })

  it('checks CSI drivers, declared features of nodes, and hints for nodes', async () => {
    const driver = {
      metadata: { name: 'a' },
      spec: { nodeAllocatableUpdatePeriodSeconds: 5, serviceAccountTokenInSecrets: true },
    }
    expect((await created('1.37', '/apis/storage.k8s.io/v1/csidrivers', driver))[1]).toBe(
      '[spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 5: must be greater than or equal to 10 seconds, spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified]',
    )
    const node = { metadata: { name: 'a' }, status: { declaredFeatures: ['B', 'A', 'A'] } }
    expect((await created('1.37', '/api/v1/nodes', node))[1]).toBe(
      '[status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically, status.declaredFeatures[2]: Duplicate value: "A"]',
    )
    const slice = {
      metadata: { name: 'a' },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['1.2.3.4'], hints: { forNodes: [{ name: 'b' }, { name: 'b' }] } }],
    }
    const path = '/apis/discovery.k8s.io/v1/namespaces/team/endpointslices'
    expect((await created('1.37', path, slice))[1]).toBe(
      'endpoints[0].hints.forNodes[1].name: Duplicate value: "b"',
    )
  })

  it('has the texts of tags for device classes', async () => {
    const parameters = { driver: 'A_', parameters: {} }
    const device = {
      metadata: { name: 'a' },
      spec: { config: [{ opaque: parameters }], extendedResourceName: 'bad' },
    }
    expect((await created('1.37', '/apis/resource.k8s.io/v1/deviceclasses', device))[1]).toBe(
      "[spec.config[0].opaque.driver: Invalid value: \"A_\": an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'Example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), spec.extendedResourceName: Invalid value: \"bad\": a name must be a domain-prefixed path, such as 'example.com/my-prop']",
    )
  })

  it('checks templates of StatefulSets since 1.34', async () => {
    const set = {
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } } },
      },
    }
    const path = '/apis/apps/v1/namespaces/team/statefulsets'
    expect((await created('1.34', path, set))[1]).toBe(
      'spec.template.spec.containers: Required value',
    )
    expect((await created('1.33', path, set))[0]).toBe(201)
  })

  it('drops the scheduling of a Job, whose gate is off', async () => {
    const server = testServer({ release: '1.37' })
    await server.namespace('team')
    const { body } = await server.send('POST', '/apis/batch/v1/namespaces/team/jobs', {
      metadata: { name: 'a' },
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
        scheduling: { schedulingPolicy: { gang: { minCount: 1 } } },
      },
    })
    expect(body.spec).not.toHaveProperty('scheduling')
  })
})
