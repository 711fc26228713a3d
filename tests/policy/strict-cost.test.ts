import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { testServer } from '../admission/server'

const GROUP = '/apis/admissionregistration.k8s.io/v1'
/**
 * One authorizer call costs 350,000, of 10,000,000 for a policy and 2,500,000 for a matchCondition.
 */
const QUESTION = "authorizer.group('').resource('pods').check('create').allowed()"
const questions = (count: number) => Array.from({ length: count }, () => QUESTION)
const rules = (resource: string): JsonObject[] => [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] },
]

async function createUnder(spec: JsonObject, featureGates: Record<string, boolean>) {
  const server = testServer({ featureGates })
  const metadata = { name: 'costly' }
  await server.send('POST', `${GROUP}/validatingadmissionpolicies`, {
    metadata,
    spec: { matchConstraints: { resourceRules: rules('configmaps') }, ...spec },
  })
  await server.send('POST', `${GROUP}/validatingadmissionpolicybindings`, {
    metadata,
    spec: { policyName: 'costly', validationActions: ['Deny'] },
  })
  const { status, body } = await server.send('POST', '/api/v1/namespaces/default/configmaps', {
    metadata: { name: 'a' },
  })
  return [status, body.message]
}

describe('StrictCostEnforcementForVAP', () => {
  const STRICT = { StrictCostEnforcementForVAP: true }

  it('charges validations for library functions, from one budget', async () => {
    const validations = (count: number) => ({
      validations: questions(count).map((expression) => ({ expression })),
    })
    expect(await createUnder(validations(29), {})).toEqual([201, undefined])
    expect(await createUnder(validations(28), STRICT)).toEqual([201, undefined])
    expect(await createUnder(validations(29), STRICT)).toEqual([
      422,
      `configmaps "a" is forbidden: ValidatingAdmissionPolicy 'costly' with binding 'costly' denied request: validation failed due to running out of cost budget, no further validation rules will be run`,
    ])
  })

  it('charges matchConditions from their own budget', async () => {
    const expression = questions(8).join(' && ')
    const spec = {
      matchConditions: [{ name: 'costly', expression }],
      validations: [{ expression: 'true' }],
    }
    expect(await createUnder(spec, {})).toEqual([201, undefined])
    const [status, message] = await createUnder(spec, STRICT)
    expect(status).toBe(422)
    expect(message).toContain('resulted in error: operation cancelled: actual cost limit exceeded')
  })
})

describe('StrictCostEnforcementForWebhooks', () => {
  const statusWith = async (featureGates: Record<string, boolean>) => {
    const server = testServer({ featureGates })
    const condition = `!(${questions(8).join(' && ')})`
    await server.send('POST', `${GROUP}/validatingwebhookconfigurations`, {
      metadata: { name: 'costly' },
      webhooks: [
        {
          name: 'costly.example.com',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { url: 'https://webhook.example.com' },
          rules: rules('secrets'),
          matchConditions: [{ name: 'costly', expression: condition }],
        },
      ],
    })
    const { status, body } = await server.send('POST', '/api/v1/namespaces/default/secrets', {
      metadata: { name: 'a' },
    })
    return [status, body.message]
  }

  it('charges matchConditions of webhooks for library functions', async () => {
    expect(await statusWith({})).toEqual([201, undefined])
    expect(await statusWith({ StrictCostEnforcementForVAP: true })).toEqual([201, undefined])
    const [status, message] = await statusWith({ StrictCostEnforcementForWebhooks: true })
    expect(status).toBe(403)
    expect(message).toContain('resulted in error: operation cancelled: actual cost limit exceeded')
  })
})
