/** `kubetab check`: what it finds, with the lines, in each format. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHECK } from '../../src/command-line/check/command'
import { directoryWith, run } from './terminal'

const GOOD = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: shop
data:
  color: red
`

const deployment = (name: string, image: string, replicas = 1) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: shop
spec:
  replicas: ${replicas}
  selector:
    matchLabels: {app: ${name}}
  template:
    metadata:
      labels: {app: ${name}}
    spec:
      containers:
        - name: web
          image: ${image}
`

const NO_LATEST = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-latest}
spec: {policyName: no-latest, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-latest}
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  validations:
    - expression: object.spec.containers.all(c, !c.image.endsWith(':latest'))
      message: name a version
`

interface JsonReport {
  summary: { manifests: number; errors: number; warnings: number }
  findings: { level: string; rule: string; object: string; message: string; line?: number }[]
}

async function checkedAsJson(args: readonly string[], input?: string) {
  const { status, output } = await run(CHECK, [...args, '--output', 'json'], input)
  return { status, report: JSON.parse(output) as JsonReport }
}

it('accepts manifests that the release accepts, in any order', async () => {
  const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer}}}}
`
  const widget = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nsize: 1\n'
  const directory = directoryWith({ 'a/widget.yaml': widget, 'b/crd.yml': definition, c: 'no' })
  expect(await run(CHECK, [directory])).toEqual({
    status: 0,
    output: '2 manifests checked against Kubernetes 1.37: 0 errors, 0 warnings.\n',
    errors: '',
  })
})

it('names the file, the line and the reason of each rejection', async () => {
  const text = `${GOOD}---
${deployment('web', 'nginx:1', -1)}---
${deployment('typo', 'nginx:1').replace('image:', 'imagee:')}---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: old}
---
list: [
`
  const directory = directoryWith({ 'all.yaml': text })
  const file = join(directory, 'all.yaml')
  const { status, output } = await run(CHECK, [file])
  expect(status).toBe(1)
  expect(output.split('\n').map((line) => line.replace(`${file}:`, ''))).toEqual([
    '47: error: did not find expected node content (Unreadable)',
    '15: error: Deployment shop/web: spec.replicas: Invalid value: -1: must be greater than or equal to 0 (Invalid)',
    '41: error: Deployment shop/typo: unknown field "spec.template.spec.containers[0].imagee" (Malformed)',
    '43: error: PodDisruptionBudget old: no matches for kind "PodDisruptionBudget" in version "policy/v1beta1": Kubernetes 1.25 removed it (NotServed)',
    '4 manifests checked against Kubernetes 1.37: 4 errors, 0 warnings.',
    '',
  ])
})

it('responds as the release does', async () => {
  const old = 'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: old}\n'
  const { report } = await checkedAsJson(['--release', '1.24', '-'], old)
  expect(report.findings).toEqual([
    expect.objectContaining({
      level: 'warning',
      rule: 'Deprecated',
      message:
        'policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget',
    }),
  ])
  expect((await checkedAsJson(['--release', '1.25', '-'], old)).report.findings).toEqual([
    expect.objectContaining({ level: 'error', rule: 'NotServed' }),
  ])
})

it('tries the pods of workloads against the policies', async () => {
  const directory = directoryWith({
    'manifests/web.yaml': deployment('web', 'nginx:latest'),
    'manifests/api.yaml': deployment('api', 'nginx:1.27'),
    'policies/no-latest.yaml': NO_LATEST,
  })
  const policies = ['--policies', join(directory, 'policies')]
  const { status, report } = await checkedAsJson([join(directory, 'manifests'), ...policies])
  expect(status).toBe(1)
  expect(report.findings).toEqual([
    {
      level: 'error',
      rule: 'PodRejected',
      object: 'Deployment shop/web',
      message:
        "pods \"web-0\" is forbidden: ValidatingAdmissionPolicy 'no-latest' with binding 'no-latest' denied request: name a version",
      file: join(directory, 'manifests/web.yaml'),
      line: 10,
    },
  ])
})

it('applies the manifests as a user', async () => {
  const args = ['--as', 'jane', '--as-group', 'developers', '-']
  const { report } = await checkedAsJson(args, GOOD)
  expect(report.findings.map(({ rule, message }) => [rule, message])).toEqual([
    [
      'Forbidden',
      'configmaps is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace "shop"',
    ],
  ])
})

it('names the template of Helm output, and no line of it', async () => {
  const rendered = `---\n# Source: shop/templates/web.yaml\n${deployment('web', 'nginx:1', -1)}`
  const { output } = await run(CHECK, ['-'], rendered)
  expect(output).toMatch(/^shop\/templates\/web\.yaml: error: Deployment shop\/web: spec\.replicas/)
})

it('finds the items of lists, and manifests that define one object twice', async () => {
  const list = `apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: a}
  - apiVersion: v1
    kind: ConfigMap
    metadata:
      name: a
      labels:
        "not valid!": x
`
  const { report } = await checkedAsJson(['-'], list)
  expect(report.summary).toMatchObject({ manifests: 2, errors: 1, warnings: 1 })
  expect(report.findings.map(({ rule, line }) => [rule, line])).toEqual([
    ['Defined', 1],
    ['Invalid', 11],
  ])
})

describe('with a cluster', () => {
  const role = (verbs: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: shop}
rules:
  - {apiGroups: [""], resources: [secrets], verbs: [${verbs}]}
`
  const binding = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reader, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects:
  - {kind: ServiceAccount, name: web, namespace: shop}
`
  const pod = `apiVersion: v1
kind: Pod
metadata: {name: old, namespace: shop}
spec: {containers: [{name: a, image: nginx:latest}]}
`

  it('reports who loses access, and what the change rejects from now on', async () => {
    const directory = directoryWith({
      'cluster.yaml': [GOOD, role('get, list'), binding, pod].join('---\n'),
      'change/role.yaml': role('get, watch'),
      'change/policy.yaml': NO_LATEST,
    })
    const cluster = ['--cluster', join(directory, 'cluster.yaml')]
    const { status, report } = await checkedAsJson([join(directory, 'change'), ...cluster])
    expect(status).toBe(0)
    expect(report.findings.map(({ rule, object, message }) => [rule, object, message])).toEqual([
      [
        'CreateRejected',
        'Pod shop/old',
        "pods \"old\" is forbidden: ValidatingAdmissionPolicy 'no-latest' with binding 'no-latest' denied request: name a version",
      ],
      ['AccessLost', 'ServiceAccount shop/web in namespace shop', 'can no longer: list secrets'],
      ['AccessGained', 'ServiceAccount shop/web in namespace shop', 'can now: watch secrets'],
    ])
  })

  it('names the objects that the release does not serve', async () => {
    const directory = directoryWith({
      'cluster.yaml': `apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: {name: old}\n---\n${GOOD}`,
    })
    const { status, report } = await checkedAsJson([
      '-',
      '--cluster',
      join(directory, 'cluster.yaml'),
    ])
    expect(status).toBe(1)
    expect(report.findings.map(({ rule, object }) => [rule, object])).toEqual([
      ['NotServed', 'PodSecurityPolicy old'],
    ])
  })
})

it('calls no webhooks, and warns that there are some', async () => {
  const hook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: strict}
webhooks:
  - name: strict.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Fail
    clientConfig: {url: 'https://strict.example.com/'}
    rules:
      - {apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}
`
  const directory = directoryWith({ 'cluster.yaml': hook })
  const cluster = ['--cluster', join(directory, 'cluster.yaml')]
  const { status, errors } = await run(CHECK, ['-', ...cluster], GOOD)
  expect(status).toBe(0)
  expect(errors).toBe('Warning: 1 webhook configuration found; a check calls no webhooks.\n')
})

describe('formats', () => {
  const bad = deployment('<web>', 'nginx:1', -1)

  it('writes SARIF with rules and places', async () => {
    const directory = directoryWith({ 'a b.yaml': bad })
    const file = join(directory, 'check.sarif')
    const { output } = await run(CHECK, [
      join(directory, 'a b.yaml'),
      ...['--output', 'sarif', '--output-file', file],
    ])
    expect(output).toBe('')
    const { version, runs } = JSON.parse(readFileSync(file, 'utf8'))
    const [{ tool, results }] = runs
    const rules = tool.driver.rules.map(({ id }: { id: string }) => id)
    expect(version).toBe('2.1.0')
    expect(results.length).toBeGreaterThan(1)
    for (const { ruleId, level, message, locations } of results) {
      expect(rules).toContain(ruleId)
      expect(level).toBe('error')
      expect(message.text).toMatch(/^Deployment shop\/<web>: /)
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/\/a%20b\.yaml$/)
    }
  })

  it('writes JUnit XML with escaped text', async () => {
    const { output } = await run(CHECK, ['-', '--output', 'junit'], `${GOOD}---\n${bad}`)
    expect(output).toContain('<testsuites name="kubetab check" tests="2" failures="1">')
    expect(output).toContain('name="ConfigMap shop/settings"/>')
    expect(output).toContain('name="Deployment shop/&lt;web&gt;">')
    expect(output).not.toContain('<web>')
  })

  it('writes Markdown whose cells hold any text', async () => {
    const { output } = await run(CHECK, ['-', '--output', 'markdown'], bad)
    const rows = output.split('\n').filter((line) => line.startsWith('| error'))
    expect(rows.length).toBeGreaterThan(1)
    for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(7)
  })
})

it('fails on warnings with --fail-on=warning', async () => {
  const twice = `${GOOD}---\n${GOOD}`
  expect((await run(CHECK, ['-'], twice)).status).toBe(0)
  expect((await run(CHECK, ['-', '--fail-on', 'warning'], twice)).status).toBe(1)
})

it.each([
  [[], 'no PATH given: name a file, a directory, or - for standard input'],
  [['-', '--release', '1.99'], '--release: "1.99" is none of 1.15, '],
  [['-', '--output', 'xml'], '--output: "xml" is none of text, markdown, json, sarif, junit'],
  [['-', '--polices', 'x'], "Unknown option '--polices'"],
  [['/does/not/exist'], 'cannot read /does/not/exist: ENOENT'],
])('rejects %j', async (args, message) => {
  const { status, output, errors } = await run(CHECK, args)
  expect([status, output]).toEqual([2, ''])
  expect(errors).toContain(`error: ${message}`)
})
