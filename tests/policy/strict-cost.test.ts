import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/object'
import { testServer } from '../admission/server'

const GROUP = '/apis/admissionregistration.k8s.io/v1'
/** One question to the authorizer: 350,000 of the ten million steps of a policy, and of the two and a half of a match condition. */
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

  it('makes the validations of a policy pay for what libraries do, all from one budget', async () => {
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

  it('makes match conditions pay, from their own', async () => {
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

  it('makes match conditions of webhooks pay for what libraries do', async () => {
    expect(await statusWith({})).toEqual([201, undefined])
    expect(await statusWith({ StrictCostEnforcementForVAP: true })).toEqual([201, undefined])
    const [status, message] = await statusWith({ StrictCostEnforcementForWebhooks: true })
    expect(status).toBe(403)
    expect(message).toContain('resulted in error: operation cancelled: actual cost limit exceeded')
  })
})
