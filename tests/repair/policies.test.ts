/** Denials by admission policies, and webhooks that cannot be called. */
import { describe, expect, it } from 'vitest'
import { editsFor } from '../../src/engine/repair/policy-values'
import { type Cluster, deployment } from '../support/cluster'
import { configMap } from '../support/server'
import { expectRepairs, send } from './support'

const ROOT = '/apis/admissionregistration.k8s.io/v1'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'

const policy = (expression: string, spec: object = {}) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'limits' },
  spec: {
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ['apps'],
          apiVersions: ['v1'],
          resources: ['deployments'],
          operations: ['CREATE', 'UPDATE'],
        },
      ],
    },
    validations: [{ expression }],
    ...spec,
  },
})

const bound =
  (of: object, spec: object = {}) =>
  async (cluster: Cluster) => {
    await send(cluster, {
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      body: configMap('limits', { most: '3' }),
    })
    await send(cluster, { method: 'POST', path: `${ROOT}/validatingadmissionpolicies`, body: of })
    await send(cluster, {
      method: 'POST',
      path: `${ROOT}/validatingadmissionpolicybindings`,
      body: {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'limits' },
        spec: { policyName: 'limits', validationActions: ['Deny'], ...spec },
      },
    })
    await cluster.pass(5)
  }

const rejected = { method: 'POST', path: DEPLOYMENTS, body: deployment('web', 9) }

describe('a policy', () => {
  it('gets a value that it allows, or audits', async () => {
    const prepare = bound(policy('object.spec.replicas <= 4'))
    const [value, audit] = await expectRepairs(prepare, rejected, ['SetPolicyValue', 'AuditPolicy'])
    expect(value?.edits).toEqual([{ place: ['spec', 'replicas'], value: 4 }])
    expect(audit?.writes[0]?.body).toEqual({ spec: { validationActions: ['Audit'] } })
  })

  it('gets the value of its parameter', async () => {
    const spec = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      variables: [{ name: 'most', expression: 'int(params.data.most)' }],
    }
    const paramRef = { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' }
    const prepare = bound(policy('object.spec.replicas <= variables.most', spec), { paramRef })
    const [value] = await expectRepairs(prepare, rejected, ['SetPolicyValue', 'AuditPolicy'])
    expect(value?.edits).toEqual([{ place: ['spec', 'replicas'], value: 3 }])
  })

  it('of another form only audits', async () => {
    const prepare = bound(policy("object.metadata.name.startsWith('team-')"))
    await expectRepairs(prepare, rejected, ['AuditPolicy'])
  })
})

describe('a value of an expression', () => {
  const object = { metadata: { labels: { tier: 'x' } }, spec: { replicas: 9 } }
  const scope = { object, param: null, variables: new Map() }

  it.each([
    [
      "object.metadata.labels['team'] == 'a'",
      [{ place: ['metadata', 'labels', 'team'], value: 'a' }],
    ],
    [
      "object.metadata.labels.tier in ['web', 'db']",
      [{ place: ['metadata', 'labels', 'tier'], value: 'web' }],
    ],
    ['5 > object.spec.replicas', [{ place: ['spec', 'replicas'], value: 4 }]],
    [
      'object.spec.replicas >= 2 && object.spec.replicas <= 5',
      [{ place: ['spec', 'replicas'], value: 5 }],
    ],
    ["has(object.spec.mode) && object.spec.mode == 'a'", [{ place: ['spec', 'mode'], value: 'a' }]],
    [
      'object.spec.replicas < 0 || object.spec.replicas == 1',
      [{ place: ['spec', 'replicas'], value: -1 }],
    ],
  ])('is found for %s', (expression, edits) => {
    expect(editsFor([expression], scope)).toEqual(edits)
  })

  it.each([
    'object.spec.replicas != 9',
    'true',
    'object.spec',
    '!(object.spec.replicas == 1)',
    '1 +',
  ])('is not guessed for %s', (expression) => expect(editsFor([expression], scope)).toBeUndefined())
})

describe('a webhook that cannot be called', () => {
  it('is ignored', async () => {
    const prepare = async (cluster: Cluster) => {
      await send(cluster, {
        method: 'POST',
        path: `${ROOT}/validatingwebhookconfigurations`,
        body: {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingWebhookConfiguration',
          metadata: { name: 'checks' },
          webhooks: [
            {
              name: 'check.example.com',
              clientConfig: { url: 'https://127.0.0.1:1/check' },
              admissionReviewVersions: ['v1'],
              sideEffects: 'None',
              rules: [
                {
                  apiGroups: ['apps'],
                  apiVersions: ['v1'],
                  resources: ['deployments'],
                  operations: ['*'],
                },
              ],
            },
          ],
        },
      })
    }
    const [repair] = await expectRepairs(prepare, rejected, ['IgnoreWebhookFailure'])
    expect(repair?.title).toBe('Ignore failures of webhook "check.example.com"')
  })
})
