/**
 * Inherited names in configuration files and on the command line mean no more than any other name:
 * the server starts with both, or reports the same error for both.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { FileError, SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { isJsonObject, type Json, type JsonObject } from '../../src/engine/core/object'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { DEFAULT_RELEASE } from '../../src/engine/releases/release'
import { createApiServer } from '../../src/engine/server/server'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { parseAuditPolicy } from '../../src/engine/telemetry/audit/policy'
import { FLAGS } from '../../src/hosts/node/flag-table'
import { FlagError, parseFlags } from '../../src/hosts/node/flags'
import { NAME_PAIRS } from './same-for-any-name'

beforeAll(() => loadTables(DEFAULT_RELEASE))

interface Variant {
  position: string
  value: Json
}

/** Copies of a value with `name` as a string, as a key, or as an additional member. */
function variantsOf(value: Json, name: string, position = ''): Variant[] {
  if (Array.isArray(value))
    return value.flatMap((item, at) =>
      variantsOf(item, name, `${position}[${at}]`).map((variant) => ({
        position: variant.position,
        value: value.map((other, index) => (index === at ? variant.value : other)),
      })),
    )
  if (!isJsonObject(value)) return [{ position, value: name }]
  const entries = Object.entries(value)
  const replaced = (at: number, entry: [string, Json]) =>
    Object.fromEntries(entries.map((other, index) => (index === at ? entry : other)))
  return [
    { position: `${position}!`, value: Object.fromEntries([...entries, [name, 'x']]) },
    { position: `${position}!{}`, value: Object.fromEntries([...entries, [name, {}]]) },
    ...entries.flatMap(([key, inner], at) => [
      { position: `${position}{${key}}`, value: replaced(at, [name, inner]) },
      ...variantsOf(inner, name, `${position}.${key}`).map((variant) => ({
        position: variant.position,
        value: replaced(at, [key, variant.value]),
      })),
    ]),
  ]
}

const FILE = '/etc/file.yaml'
const KUBECONFIG = '/etc/kubeconfig.yaml'
const kubeconfig: JsonObject = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    { name: 'c', cluster: { server: 'https://a.example', 'certificate-authority-data': '' } },
  ],
  users: [{ name: 'u', user: { token: 't' } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  'current-context': 'x',
}
const SIGNATURES = {
  generateKey: () => Promise.reject(new Error('no key is requested')),
  sign: () => Promise.reject(new Error('nothing is signed')),
  verify: () => Promise.resolve(false),
}

const ADMISSION = '/etc/admission.yaml'
const WEBHOOK_ADMISSION = {
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AdmissionConfiguration',
  plugins: [
    {
      name: 'ValidatingAdmissionWebhook',
      configuration: {
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'WebhookAdmissionConfiguration',
        kubeConfigFile: FILE,
      },
    },
  ],
}

interface ConfigurationFile {
  name: string
  content: JsonObject
  options(text: string): Partial<ApiServerOptions>
  others?: Record<string, string>
}

const plugin = (name: string, configuration: JsonObject): ConfigurationFile => ({
  name: `admission: ${name}`,
  content: {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [{ name, configuration }],
  },
  options: () => ({ admissionControlConfigFile: FILE, enableAdmissionPlugins: [name] }),
})

const FILES: ConfigurationFile[] = [
  plugin('PodSecurity', {
    apiVersion: 'pod-security.admission.config.k8s.io/v1',
    kind: 'PodSecurityConfiguration',
    defaults: { enforce: 'baseline', 'enforce-version': 'latest', warn: 'restricted' },
    exemptions: { usernames: ['a'], namespaces: ['n'], runtimeClasses: ['r'] },
  }),
  plugin('EventRateLimit', {
    apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
    kind: 'Configuration',
    limits: [{ type: 'Server', qps: 1, burst: 1 }],
  }),
  plugin('ResourceQuota', {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'ResourceQuotaConfiguration',
    limitedResources: [
      {
        apiGroup: '',
        resource: 'pods',
        matchContains: ['cpu'],
        matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }],
      },
    ],
  }),
  plugin('PodNodeSelector', {
    podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'a=b', shop: 'a=b' },
  }),
  plugin('PodTolerationRestriction', {
    apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
    kind: 'Configuration',
    default: [{ key: 'a', operator: 'Exists' }],
    whitelist: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' }],
  }),
  ...['ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook'].map((name) => ({
    ...plugin(name, {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'WebhookAdmissionConfiguration',
      kubeConfigFile: KUBECONFIG,
    }),
    others: { [KUBECONFIG]: JSON.stringify(kubeconfig) },
  })),
  {
    name: 'credentials of webhooks',
    content: kubeconfig,
    options: () => ({ admissionControlConfigFile: ADMISSION }),
    others: { [ADMISSION]: JSON.stringify(WEBHOOK_ADMISSION) },
  },
  {
    name: 'authorization',
    content: {
      apiVersion: 'apiserver.config.k8s.io/v1beta1',
      kind: 'AuthorizationConfiguration',
      authorizers: [
        { type: 'RBAC', name: 'rbac' },
        {
          type: 'Webhook',
          name: 'hook',
          webhook: {
            timeout: '1s',
            authorizedTTL: '1s',
            unauthorizedTTL: '1s',
            subjectAccessReviewVersion: 'v1',
            matchConditionSubjectAccessReviewVersion: 'v1',
            failurePolicy: 'NoOpinion',
            connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: KUBECONFIG },
            matchConditions: [{ expression: 'request.user != "a"' }],
          },
        },
      ],
    },
    options: () => ({ authorization: { configFile: FILE } }),
    others: { [KUBECONFIG]: JSON.stringify(kubeconfig) },
  },
  {
    name: 'kubeconfig of an authorizer',
    content: kubeconfig,
    options: () => ({
      authorization: { modes: ['Webhook'], webhookConfigFile: FILE, webhookVersion: 'v1' },
    }),
  },
  {
    name: 'authentication',
    content: {
      apiVersion: 'apiserver.config.k8s.io/v1beta1',
      kind: 'AuthenticationConfiguration',
      jwt: [
        {
          issuer: { url: 'https://i.example', audiences: ['a'], audienceMatchPolicy: 'MatchAny' },
          claimValidationRules: [
            { claim: 'c', requiredValue: 'v' },
            { expression: 'claims.c == "v"', message: 'm' },
          ],
          claimMappings: {
            username: { claim: 'sub', prefix: 'p:' },
            groups: { expression: 'claims.groups' },
            uid: { claim: 'u' },
            extra: [{ key: 'example.com/k', valueExpression: 'claims.e' }],
          },
          userValidationRules: [{ expression: 'user.username != "v"', message: 'm' }],
        },
      ],
    },
    options: () => ({ authenticationConfig: FILE, signatures: SIGNATURES }),
  },
  {
    name: 'kubeconfig of token authentication',
    content: kubeconfig,
    options: () => ({ tokenWebhook: { configFile: FILE, version: 'v1', cacheTTL: 0 } }),
  },
  {
    name: 'policy of ABAC',
    content: {
      apiVersion: 'abac.authorization.kubernetes.io/v1beta1',
      kind: 'Policy',
      spec: {
        user: 'u',
        group: 'system:masters',
        namespace: '*',
        resource: '*',
        apiGroup: '*',
        nonResourcePath: '*',
        readonly: true,
      },
    },
    options: () => ({ authorization: { modes: ['ABAC'], policyFile: FILE } }),
  },
  {
    name: 'audit policy',
    content: {
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [
        {
          level: 'Metadata',
          users: ['u'],
          userGroups: ['g'],
          verbs: ['get'],
          namespaces: ['n'],
          omitStages: ['Panic'],
          resources: [{ group: '', resources: ['pods'], resourceNames: ['p'] }],
        },
        { level: 'None', nonResourceURLs: ['/a*'] },
      ],
    },
    options: (text) => ({ audit: { policy: parseAuditPolicy(text), sink: () => undefined } }),
  },
]

/** Starts a server with the file, and returns its first response or its error. */
async function outcome(file: ConfigurationFile, content: Json): Promise<string> {
  const text = JSON.stringify(content)
  const texts = new Map(Object.entries({ ...file.others, [FILE]: text }))
  const failures: string[] = []
  try {
    const server = createApiServer({
      clock: new SimulatedClock(),
      random: seededRandom(1),
      log: { error: (message, cause) => failures.push(`${message}: ${cause}`) },
      storage: createMemoryStorage({ freeze: true }),
      tokens: 'admin-token,admin,,"system:masters"\n',
      files: {
        read(path) {
          const found = texts.get(path)
          if (found === undefined) throw new FileError(path, 'no such file or directory')
          return found
        },
      },
      ...file.options(text),
    })
    const response = await server.fetch(
      new Request('http://127.0.0.1/api/v1/namespaces', {
        headers: { authorization: 'Bearer admin-token' },
      }),
    )
    return `${response.status} ${failures}`
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return `${error.name}: ${error.message}`
  }
}

const MISTAKES = /TypeError|RangeError|ReferenceError|Cannot read|is not a function/

describe.each(FILES.map((file) => [file.name, file] as const))('the file for %s', (_, file) => {
  it('is accepted', async () => {
    expect(await outcome(file, file.content)).toMatch(/^(?:200|403) $/)
  })

  it.each(NAME_PAIRS.slice(0, 4))(
    'means the same with %s as with %s',
    async (inherited, neutral) => {
      const others = variantsOf(file.content, neutral)
      const variants = variantsOf(file.content, inherited)
      expect(variants.length).toBeGreaterThan(15)
      const differing: string[] = []
      for (const [index, { position, value }] of variants.entries()) {
        const actual = await outcome(file, value)
        const expected = (await outcome(file, (others[index] as Variant).value)).replaceAll(
          neutral,
          inherited,
        )
        if (actual !== expected || MISTAKES.test(actual))
          differing.push(`${position}: ${actual}, not ${expected}`)
      }
      expect(differing).toEqual([])
    },
  )
})

/** @returns the flags as JSON, or the error */
function parsed(args: string[]): string {
  const remarks: string[] = []
  try {
    return JSON.stringify([parseFlags(args, {}, (text) => remarks.push(text)), remarks])
  } catch (error) {
    if (!(error instanceof FlagError)) throw error
    return error.message
  }
}

const VALUES: [option: string, options: (name: string) => Partial<ApiServerOptions>][] = [
  ['feature gates', (name) => ({ featureGates: Object.fromEntries([[name, true]]) })],
  ['runtime config', (name) => ({ runtimeConfig: Object.fromEntries([[name, 'true']]) })],
  ['versions', (name) => ({ runtimeConfig: { [`${name}/v1`]: 'true' } })],
  ['values of runtime config', (name) => ({ runtimeConfig: { 'apps/v1': name } })],
  ['enabled admission plugins', (name) => ({ enableAdmissionPlugins: [name] })],
  ['disabled admission plugins', (name) => ({ disableAdmissionPlugins: [name] })],
  ['authorization modes', (name) => ({ authorization: { modes: [name] } })],
  ['controllers', (name) => ({ controllers: [name] })],
  ['disabled controllers', (name) => ({ controllers: ['*', `-${name}`] })],
  ['the release', (name) => ({ release: name })],
  ['service ranges', (name) => ({ serviceRanges: [name] })],
  ['node ports', (name) => ({ nodePortRange: name })],
  ['tokens', (name) => ({ tokens: `admin-token,${name},${name},"${name}"\n` })],
]

it('has no flags for the files that configure encryption, egress and traces', () => {
  for (const flag of [
    'encryption-provider-config',
    'egress-selector-config-file',
    'tracing-config-file',
  ])
    for (const [name] of NAME_PAIRS)
      expect(parsed([`--${flag}=${name}`])).toBe(`unknown flag: --${flag}`)
})

describe.each(NAME_PAIRS)('the command line with %s', (inherited, neutral) => {
  it('means the same as with another name', () => {
    const lines = (name: string) => [
      [`--${name}`],
      [`--${name}=x`],
      [`--${name}`, 'x'],
      ...Object.keys(FLAGS).map((flag) => [`--${flag}=${name}`]),
      ...Object.keys(FLAGS).map((flag) => [`--${flag}=${name}=true`]),
    ]
    const renamed = lines(neutral).map((args) => parsed(args).replaceAll(neutral, inherited))
    expect(lines(inherited).map(parsed)).toEqual(renamed)
    expect(parsed([`--${inherited}=x`])).toBe(`unknown flag: --${inherited}`)
  })

  it.each(VALUES)('means the same in %s', async (name, options) => {
    const file = (value: string): ConfigurationFile => ({
      name,
      content: {},
      options: () => options(value),
    })
    const actual = await outcome(file(inherited), {})
    expect(actual).not.toMatch(MISTAKES)
    expect(actual).toBe((await outcome(file(neutral), {})).replaceAll(neutral, inherited))
  })
})
