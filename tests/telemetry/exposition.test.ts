/**
 * The text format of `/metrics`: families match their definitions, and unlabeled ones start at
 * zero.
 */
import { expect, it } from 'vitest'
import { FAMILIES, type FamilyName } from '../../src/engine/telemetry/families/families'
import type { Family } from '../../src/engine/telemetry/families/family'
import { readExposition } from '../support/exposition'
import { testServer } from '../support/server'
import { metricsAfter, TRAFFIC } from '../support/traffic'

const familyOf = (name: string): Family => FAMILIES[name as FamilyName]

it('is valid text format, with families in order', async () => {
  const families = readExposition(await metricsAfter(testServer(), TRAFFIC))
  expect(families.length).toBeGreaterThan(55)
})

it('gives each family the type, help, labels and buckets of its definition', async () => {
  for (const { name, type, help, samples } of readExposition(
    await metricsAfter(testServer(), TRAFFIC),
  )) {
    const family = familyOf(name)
    expect(family, name).toBeDefined()
    expect(type, name).toBe(family.type)
    expect(help.replace('EXPERIMENTAL: ', '').startsWith(`[${family.stability}] `), name).toBe(true)
    const expected = [...family.labels, ...Object.keys(family.constant ?? {})].sort()
    for (const { labels } of samples) {
      const { le: _, quantile: __, ...own } = labels
      expect(Object.keys(own), name).toEqual(expected)
    }
    const bounds = new Set(
      samples.flatMap(({ labels }) =>
        labels.le === undefined
          ? []
          : labels.le === '+Inf'
            ? Number.POSITIVE_INFINITY
            : Number(labels.le),
      ),
    )
    if (family.buckets)
      expect([...bounds], name).toEqual([...family.buckets, Number.POSITIVE_INFINITY])
  }
})

it('exposes zero for families without labels, and nothing for those with labels', async () => {
  const text = await metricsAfter(testServer(), [])
  expect(text).toContain('\napiserver_tls_handshake_errors_total 0\n')
  expect(text).toContain('\napiserver_client_certificate_expiration_seconds_bucket{le="0"} 0\n')
  expect(text).not.toContain('apiserver_admission_webhook_request_total')
})

it('counts registered and hidden families by stability', async () => {
  const families = readExposition(await metricsAfter(testServer(), []))
  const sampleOf = (name: string, labels: object) =>
    families
      .find((family) => family.name === name)
      ?.samples.find((sample) => JSON.stringify(sample.labels) === JSON.stringify(labels))?.value
  const stable = Object.values<Family>(FAMILIES).filter(
    ({ stability }) => stability === 'STABLE',
  ).length
  expect(
    sampleOf('registered_metrics_total', { deprecated_version: '', stability_level: 'STABLE' }),
  ).toBe(stable)
  expect(
    sampleOf('registered_metrics_total', {
      deprecated_version: '1.31.0',
      stability_level: 'ALPHA',
    }),
  ).toBe(1)
  expect(sampleOf('hidden_metrics_total', {})).toBe(2)
})

it('exposes deprecated families for one release, and hidden ones on request', async () => {
  const usual = await metricsAfter(testServer(), TRAFFIC)
  expect(usual).toContain(
    '# HELP apiserver_flowcontrol_request_concurrency_in_use [ALPHA] (Deprecated since 1.31.0) Concurrency (number of seats)',
  )
  expect(usual).not.toContain('apiserver_request_slo_duration_seconds')
  const all = await metricsAfter(testServer({ showHiddenMetricsForVersion: '1.30' }), TRAFFIC)
  expect(all).toContain(
    '# HELP apiserver_request_slo_duration_seconds [ALPHA] (Deprecated since 1.27.0) Response latency distribution',
  )
  expect(all).toContain(
    'apiserver_flowcontrol_request_concurrency_limit{priority_level="exempt"} 0',
  )
})

it('includes every stable family of kube-apiserver 1.31', () => {
  const stable = Object.entries<Family>(FAMILIES).flatMap(([name, { stability }]) =>
    stability === 'STABLE' ? name : [],
  )
  expect(stable.sort()).toEqual([
    'apiserver_admission_controller_admission_duration_seconds',
    'apiserver_admission_step_admission_duration_seconds',
    'apiserver_admission_webhook_admission_duration_seconds',
    'apiserver_current_inflight_requests',
    'apiserver_longrunning_requests',
    'apiserver_request_duration_seconds',
    'apiserver_request_total',
    'apiserver_requested_deprecated_apis',
    'apiserver_response_sizes',
    'apiserver_storage_objects',
    'apiserver_storage_size_bytes',
  ])
})
