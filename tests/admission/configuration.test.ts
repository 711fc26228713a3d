/**
 * Admission plugins with a configuration file: PodSecurity, EventRateLimit, ResourceQuota,
 * PodNodeSelector and PodTolerationRestriction (kubernetes.io, "Admission Control in Kubernetes").
 */
import { describe, expect, it } from 'vitest'
import { FileError, SimulatedClock } from '../../src/engine/core/environment'
import { OptionError } from '../../src/engine/server/server'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import type { AuditEvent } from '../../src/engine/telemetry/audit/event'
import { parseAuditPolicy } from '../../src/engine/telemetry/audit/policy'
import { testServer } from './server'

const files = (texts: Record<string, string>): Pick<ApiServerOptions, 'files'> => ({
  files: {
    read(path) {
      const text = texts[path]
      if (text === undefined) throw new FileError(path, 'no such file or directory')
      return text
    },
  },
})

const FILE = '/etc/admission.yaml'
const plugins = (...entries: string[]) =>
  `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n${entries.join('')}`
const configured = (
  text: string,
  more: Partial<ApiServerOptions> = {},
  others: Record<string, string> = {},
) =>
  testServer({ admissionControlConfigFile: FILE, ...files({ [FILE]: text, ...others }), ...more })

const SECURITY = `
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.k8s.io/v1
    kind: PodSecurityConfiguration
    defaults: {enforce: baseline, enforce-version: v1.30}
    exemptions: {usernames: [alice], namespaces: [kube-free], runtimeClasses: [sandbox]}
`

describe('PodSecurity', () => {
  const privileged = {
    containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }],
  }

  it('applies its defaults to namespaces without labels', async () => {
    const server = configured(plugins(SECURITY))
    await server.namespace('shop')
    const rejected = await server.pod('shop', privileged)
    expect([rejected.status, rejected.body.message]).toEqual([
      403,
      expect.stringContaining('violates PodSecurity "baseline:v1.30"'),
    ])
    await server.namespace('open', {
      labels: { 'pod-security.kubernetes.io/enforce': 'privileged' },
    })
    expect((await server.pod('open', privileged)).status).toBe(201)
  })

  it('exempts namespaces, and warns that their labels are ignored', async () => {
    const server = configured(plugins(SECURITY))
    await server.namespace('kube-free')
    expect((await server.pod('kube-free', privileged)).status).toBe(201)
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-free', labels } }
    const { warnings } = await server.send('PUT', '/api/v1/namespaces/kube-free', body)
    expect(warnings).toContain(
      'is exempt from Pod Security, and the policy (enforce=restricted:v1.30) will be ignored',
    )
  })

  it('warns of ignored labels in an exempt namespace only if they got stricter', async () => {
    const server = configured(plugins(SECURITY))
    const put = async (labels: Record<string, string>) => {
      const names = Object.entries(labels).map(([name, value]) => [
        `pod-security.kubernetes.io/${name}`,
        value,
      ])
      const body = {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'kube-free', labels: Object.fromEntries(names) },
      }
      return (await server.send('PUT', '/api/v1/namespaces/kube-free', body)).warnings
    }
    await server.namespace('kube-free')
    expect(await put({ audit: 'restricted' })).toBe('')
    expect(await put({ audit: 'restricted', 'enforce-version': 'v1.29' })).toContain(
      'the policy (enforce=baseline:v1.29, audit=restricted:latest) will be ignored',
    )
    expect(
      await put({ audit: 'restricted', 'enforce-version': 'v1.29', 'warn-version': 'v1.28' }),
    ).toBe('')
    expect(await put({ enforce: 'privileged', audit: 'restricted' })).toBe('')
  })

  it('records the exemption in the audit event', async () => {
    const events: AuditEvent[] = []
    const policy = parseAuditPolicy(
      '{"apiVersion":"audit.k8s.io/v1","kind":"Policy","rules":[{"level":"Metadata"}]}',
    )
    const server = configured(plugins(SECURITY), {
      audit: { policy, sink: (event: AuditEvent) => void events.push(event) },
    })
    const exempt = () =>
      (events.at(-1)?.annotations as Record<string, string> | undefined)?.[
        'pod-security.kubernetes.io/exempt'
      ]
    await server.namespace('kube-free')
    await server.pod('kube-free', privileged)
    expect(exempt()).toBe('namespace')
    await server.namespace('shop')
    await server.send('POST', '/apis/node.k8s.io/v1/runtimeclasses', {
      metadata: { name: 'sandbox' },
      handler: 'sandbox',
    })
    expect((await server.pod('shop', { ...privileged, runtimeClassName: 'sandbox' })).status).toBe(
      201,
    )
    expect(exempt()).toBe('runtimeClass')
    const stricter = {
      metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    }
    expect((await server.send('PATCH', '/api/v1/namespaces/shop', stricter)).warnings).toBe('')
  })
})

const LIMITS = (limits: string) => `
apiVersion: eventratelimit.admission.k8s.io/v1alpha1
kind: Configuration
limits: ${limits}
`

describe('EventRateLimit', () => {
  const event = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name },
    involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
    reason: 'Because',
    type: 'Normal',
  })
  const enabled = { enableAdmissionPlugins: ['EventRateLimit'] }
  const limited = (limits: string, clock = new SimulatedClock()) =>
    configured(
      plugins('- {name: EventRateLimit, path: events.yaml}\n'),
      { ...enabled, clock },
      { '/etc/events.yaml': LIMITS(limits) },
    )

  it('admits events up to the burst, and more after a refill', async () => {
    const clock = new SimulatedClock()
    const server = limited('[{type: Namespace, qps: 1, burst: 2}]', clock)
    const send = (name: string) =>
      server.send('POST', '/api/v1/namespaces/default/events', event(name))
    expect([(await send('a')).status, (await send('b')).status]).toEqual([201, 201])
    const rejected = await send('c')
    expect(rejected.status).toBe(429)
    expect(rejected.body.message).toBe(
      'Too many requests: limit reached on type Namespace for key default',
    )
    clock.advance(1000)
    expect((await send('c')).status).toBe(201)
  })

  it('limits each user separately', async () => {
    const server = limited('[{type: User, qps: 1, burst: 1}]')
    expect(
      (await server.send('POST', '/api/v1/namespaces/default/events', event('a'))).status,
    ).toBe(201)
    expect(
      (await server.send('POST', '/api/v1/namespaces/default/events', event('b'))).status,
    ).toBe(429)
  })

  it('ignores events of events.k8s.io, which are another kind', async () => {
    const server = limited('[{type: Server, qps: 1, burst: 1}]')
    const eventTime = '2024-01-01T00:00:00.000000Z'
    const newer = (name: string) => {
      const more = {
        eventTime,
        reportingController: 'a.b/c',
        reportingInstance: 'i',
        action: 'Do',
        reason: 'Because',
        type: 'Normal',
      }
      return {
        metadata: { name },
        regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
        ...more,
      }
    }
    for (const name of ['a', 'b'])
      expect(
        (await server.send('POST', '/apis/events.k8s.io/v1/namespaces/default/events', newer(name)))
          .status,
      ).toBe(201)
  })

  it.each([
    ['[]', 'must not be empty'],
    [
      '[{type: World, qps: 1, burst: 1}]',
      'supported values: "Namespace", "Server", "SourceAndObject", "User"',
    ],
    ['[{type: Server, qps: 0, burst: 1}]', 'limits[0].qps: Invalid value: 0: must be positive'],
    ['[{type: Server, qps: 1, burst: 1, size: 2}]', 'unknown field "limits[0].size"'],
  ])('rejects limits like %s', (limits, why) => {
    expect(() => limited(limits)).toThrow(why)
  })

  it('requires a configuration', () => {
    expect(() => testServer(enabled)).toThrow(OptionError)
  })
})

describe('PodNodeSelector', () => {
  const reported = (selectors: Record<string, string>) => {
    const configuration = JSON.stringify({ podNodeSelectorPluginConfig: selectors })
    return configured(plugins(`- {name: PodNodeSelector, configuration: ${configuration}}\n`), {
      enableAdmissionPlugins: ['PodNodeSelector'],
    })
  }
  const ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector'

  it('has a default for namespaces without annotation, not for an empty one', async () => {
    const server = reported({ clusterDefaultNodeSelector: 'infra = false' })
    await server.namespace('plain')
    await server.namespace('own', { annotations: { [ANNOTATION]: 'infra=true' } })
    await server.namespace('none', { annotations: { [ANNOTATION]: '' } })
    const selectors = ['plain', 'own', 'none'].map(
      async (name) => (await server.pod(name)).body.spec.nodeSelector,
    )
    expect(await Promise.all(selectors)).toEqual([{ infra: 'false' }, { infra: 'true' }, undefined])
  })

  it('restricts the node selectors of pods in a namespace', async () => {
    const server = reported({
      clusterDefaultNodeSelector: 'env=dev',
      shop: 'env=dev, infra=false, color=blue',
    })
    await server.namespace('shop', { annotations: { [ANNOTATION]: 'infra=false' } })
    expect((await server.pod('shop', { nodeSelector: { color: 'blue' } })).status).toBe(201)
    const rejected = await server.pod('shop', { nodeSelector: { color: 'red' } }, { name: 'q' })
    expect([rejected.status, rejected.body.message]).toEqual([
      403,
      'pods "q" is forbidden: pod node label selector labels conflict with its namespace whitelist',
    ])
  })
})

describe('PodTolerationRestriction', () => {
  const reported = (lists: object) => {
    const document = {
      apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
      kind: 'Configuration',
      ...lists,
    }
    return configured(
      plugins(`- {name: PodTolerationRestriction, configuration: ${JSON.stringify(document)}}\n`),
      {
        enableAdmissionPlugins: ['PodTolerationRestriction'],
        disableAdmissionPlugins: ['DefaultTolerationSeconds'],
      },
    )
  }
  const a = { key: 'a', operator: 'Exists' }

  it('has default tolerations, which an empty annotation of a namespace replaces', async () => {
    const server = reported({ default: [a], whitelist: [a] })
    const annotations = { 'scheduler.alpha.kubernetes.io/defaultTolerations': '' }
    await server.namespace('plain')
    await server.namespace('none', { annotations })
    expect((await server.pod('plain')).body.spec.tolerations).toEqual([a])
    expect((await server.pod('none')).body.spec.tolerations).toBeUndefined()
    const rejected = await server.pod(
      'none',
      { tolerations: [{ key: 'b', operator: 'Exists' }] },
      { name: 'q' },
    )
    expect([rejected.status, rejected.body.message]).toEqual([
      500,
      expect.stringContaining('conflict with its namespace whitelist'),
    ])
  })

  it('rejects invalid tolerations at startup', () => {
    expect(() => reported({ default: [{ ...a, value: 'x' }] })).toThrow(
      'invalid config: [podtolerationrestriction.default[0].operator: Invalid value: ',
    )
  })
})

it.each([
  ['kind: AdmissionConfiguration', 'no kind "AdmissionConfiguration" is registered for version ""'],
  [
    plugins('- {name: PodSecurity, path: missing.yaml}\n'),
    'open /etc/missing.yaml: no such file or directory',
  ],
  [
    plugins('- {name: ImagePolicyWebhook, configuration: {a: 1}}\n'),
    'the configuration of "ImagePolicyWebhook" is not obeyed here',
  ],
  ['a: [', 'yaml'],
])('rejects a file like %j', (text, why) => {
  expect(() => configured(text)).toThrow(why)
})
