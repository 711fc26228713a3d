/** The rehearsal of an upgrade: what becomes of manifests in each release, why, and what to write instead. */
import { describe, expect, it } from 'vitest'
import { checkUpgrade } from '../../../src/app/features/releases/check'
import { brokenAtEnd, deprecatedAtEnd } from '../../../src/app/features/releases/findings'
import { readManifests } from '../../../src/app/features/releases/manifests'
import {
  diffOf,
  jsonReport,
  markdownReport,
  remarksOf,
  textReport,
} from '../../../src/app/features/releases/report'
import type { Release } from '../../../src/engine/releases'

const rehearse = (text: string, from: Release, to: Release) =>
  checkUpgrade({ ...readManifests({ name: 'a.yaml', text }), from, to })
const outcomes = async (text: string, from: Release, to: Release) =>
  (await rehearse(text, from, to)).manifests.map(({ findings }) =>
    findings.map(({ outcome }) => outcome),
  )

const CRON_JOB = `apiVersion: batch/v1beta1
kind: CronJob
metadata:
  name: tidy # every night
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: tidy
              image: busybox
`
const AUTOSCALER = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { maxReplicas: 3, scaleTargetRef: { kind: Deployment, name: web } }
`

describe('each release on the way', () => {
  it('accepts, warns, and no longer serves', async () => {
    expect(await outcomes(CRON_JOB, '1.20', '1.25')).toEqual([
      ['accepted', 'deprecated', 'deprecated', 'deprecated', 'deprecated', 'gone'],
    ])
  })

  it('does not have what came later', async () => {
    expect(await outcomes(AUTOSCALER, '1.21', '1.23')).toEqual([['absent', 'absent', 'accepted']])
  })

  it('has the versions of releases above 1.32', async () => {
    const text =
      'apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: { name: a }\nspec: {}\n'
    const [found] = await outcomes(text, '1.33', '1.35')
    expect([found?.at(0), found?.at(-1)]).toEqual(['absent', 'accepted'])
    const endpoints = 'apiVersion: v1\nkind: Endpoints\nmetadata: { name: a }\n'
    expect(await outcomes(endpoints, '1.32', '1.33')).toEqual([['accepted', 'deprecated']])
  })

  it('does not serve alpha versions by default, and reports undefined kinds', async () => {
    const text = `apiVersion: internal.apiserver.k8s.io/v1alpha1\nkind: StorageVersion\nmetadata: { name: a }\n---\napiVersion: example.com/v1\nkind: Widget\nmetadata: { name: a }\n`
    expect(await outcomes(text, '1.31', '1.31')).toEqual([['off'], ['unknown']])
  })

  it('rejects invalid manifests with its own message', async () => {
    const { manifests } = await rehearse(
      'apiVersion: v1\nkind: Service\nmetadata: { name: Wrong }\nspec: { ports: [{ port: 80 }] }\n',
      '1.31',
      '1.31',
    )
    expect(manifests[0]?.findings[0]).toMatchObject({
      outcome: 'rejected',
      message: expect.stringContaining('metadata.name: Invalid value: "Wrong"'),
    })
  })

  it('takes objects of definitions that are among the manifests', async () => {
    const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`
    const widget =
      'apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: a, namespace: shop }\n'
    expect(await outcomes(`${widget}---\n${definition}`, '1.24', '1.25')).toEqual([
      ['accepted', 'accepted'],
      ['accepted', 'accepted'],
    ])
  })

  it('is reported where its defaults differ from the previous one, and nowhere else', async () => {
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { ports: [{ port: 80 }] }\n'
    const { manifests } = await rehearse(service, '1.21', '1.31')
    expect(manifests[0]?.findings.flatMap(({ defaults }) => defaults)).toEqual([])
  })

  it('runs in order: an upgrade leads to a newer one', async () => {
    await expect(rehearse(CRON_JOB, '1.25', '1.21')).rejects.toThrow('1.25 is newer than 1.21')
  })
})

describe('the manifest for the last release', () => {
  it('is rewritten with comments kept, and that release accepts it', async () => {
    const { manifests } = await rehearse(CRON_JOB, '1.21', '1.25')
    expect(manifests[0]?.rewritten).toMatchObject({
      apiVersion: 'batch/v1',
      since: '1.21',
      accepted: true,
      text: CRON_JOB.replace('batch/v1beta1', 'batch/v1'),
    })
  })

  it('is offered as soon as its version is deprecated, not before', async () => {
    expect((await rehearse(CRON_JOB, '1.20', '1.20')).manifests[0]?.rewritten).toBeUndefined()
    expect((await rehearse(CRON_JOB, '1.21', '1.21')).manifests[0]?.rewritten).toBeDefined()
  })

  it('explains why each field changes', async () => {
    const ingress = `apiVersion: networking.k8s.io/v1beta1
kind: Ingress
metadata: { name: shop }
spec:
  backend: { serviceName: web, servicePort: http }
`
    const [one] = (await rehearse(ingress, '1.21', '1.22')).manifests
    if (one === undefined) throw new Error('nothing was read')
    expect(one.rewritten?.object.spec).toEqual({
      defaultBackend: { service: { name: 'web', port: { name: 'http' } } },
    })
    expect(remarksOf(one).join('\n')).toMatch(
      /spec\.defaultBackend: \(unset\) → .* \(spec\.backend is .*spec\.defaultBackend\)/,
    )
  })

  it('is none where nothing takes the version’s place', async () => {
    const policy =
      'apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: { name: a }\nspec: {}\n'
    const [one] = (await rehearse(policy, '1.24', '1.25')).manifests
    if (one === undefined) throw new Error('nothing was read')
    expect(one.rewritten).toBeUndefined()
    expect(remarksOf(one)).toContain('No replacement.')
  })
})

describe('the report', () => {
  it('counts rejected and deprecated manifests of the last release', async () => {
    const report = await rehearse(CRON_JOB, '1.21', '1.24')
    expect([brokenAtEnd(report).length, deprecatedAtEnd(report).length]).toEqual([0, 1])
    expect(brokenAtEnd(await rehearse(CRON_JOB, '1.21', '1.25'))).toHaveLength(1)
  })

  it('is a text with a diff', async () => {
    const text = textReport(await rehearse(CRON_JOB, '1.21', '1.25'))
    expect(text).toContain('1 manifest from 1.21 to 1.25; 1 cannot be applied to 1.25.')
    expect(text).toContain('1.21–1.24 deprecated, 1.25 removed')
    expect(text).toContain('-apiVersion: batch/v1beta1\n    +apiVersion: batch/v1')
  })

  it('is Markdown that no name of an object can break out of', async () => {
    const markdown = markdownReport(
      await rehearse(CRON_JOB.replace('tidy #', '"a|b" #'), '1.24', '1.25'),
    )
    expect(markdown).toContain('| CronJob a\\|b | batch/v1beta1 | ')
    expect(markdown).toContain('```diff\n')
  })

  it('is JSON with the same content', async () => {
    const report = await rehearse(CRON_JOB, '1.24', '1.25')
    const json = JSON.parse(jsonReport(report))
    expect(json.summary).toEqual({ broken: 1, deprecated: 0, unreadable: 0 })
    expect(json.manifests[0]).toMatchObject({
      source: 'a.yaml',
      line: 1,
      kind: 'CronJob',
      removed: '1.25',
      row: '1.25 CronJob',
    })
    expect(json.manifests[0].rewritten.diff).toBe(
      report.manifests[0] && diffOf(report.manifests[0]),
    )
  })
})
