import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import type { AuditEvent } from '../../src/engine/telemetry/audit/event'
import { parseAuditPolicy } from '../../src/engine/telemetry/audit/policy'
import { type TestServer, testServer } from '../admission/server'

const GROUP = '/apis/admissionregistration.k8s.io/v1'
const CONFIG_MAPS: JsonObject = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  resources: ['configmaps'],
}

const policy = (server: TestServer, name: string, spec: JsonObject, token?: string) =>
  server.send(
    'POST',
    `${GROUP}/validatingadmissionpolicies`,
    { metadata: { name }, spec: { matchConstraints: { resourceRules: [CONFIG_MAPS] }, ...spec } },
    token,
  )
const binding = (
  server: TestServer,
  name: string,
  policyName: string,
  spec: JsonObject = {},
  token?: string,
) =>
  server.send(
    'POST',
    `${GROUP}/validatingadmissionpolicybindings`,
    { metadata: { name }, spec: { policyName, validationActions: ['Deny'], ...spec } },
    token,
  )
const create = (server: TestServer, name: string, data: JsonObject = {}) =>
  server.send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name }, data })

describe('ValidatingAdmissionPolicies', () => {
  it('take effect with their first binding', async () => {
    const server = testServer()
    await policy(server, 'no', { validations: [{ expression: 'false', message: 'never' }] })
    expect((await create(server, 'a')).status).toBe(201)
    await binding(server, 'no-binding', 'no')
    const { status, body } = await create(server, 'b')
    expect([status, body.message]).toEqual([
      422,
      `configmaps "b" is forbidden: ValidatingAdmissionPolicy 'no' with binding 'no-binding' denied request: never`,
    ])
    await server.send('DELETE', `${GROUP}/validatingadmissionpolicies/no`)
    expect((await create(server, 'c')).status).toBe(201)
  })

  it('infer only simple types, lists and maps for variables', async () => {
    const server = testServer()
    const variables = [
      { name: 'where', expression: 'namespaceObject' },
      { name: 'least', expression: "[quantity('1Gi')]" },
      { name: 'names', expression: "['a']" },
    ]
    const rejected = async (expression: string) =>
      (await policy(testServer(), 'rejected', { variables, validations: [{ expression }] })).body
        .message
    expect(await rejected('variables.names == 1')).toContain(
      "'_==_' applied to '(list(string), int)'",
    )
    expect(await rejected('variables.least == 1')).toContain("'_==_' applied to '(list(dyn), int)'")
    const validations = [
      {
        expression:
          "variables.where.metadata.name == 'default' && !has(variables.where.metadata.missing)",
        message: 'where',
      },
      { expression: "variables.least[0].isGreaterThan(quantity('2Gi'))", message: 'least' },
    ]
    expect((await policy(server, 'used', { variables, validations })).status).toBe(201)
    await binding(server, 'used-binding', 'used')
    expect((await create(server, 'a')).body.message).toContain('denied request: least')
  })

  it('evaluate valueExpression without its whitespace, and report it as written', async () => {
    const annotated = (valueExpression: string) =>
      policy(testServer(), 'kept', { auditAnnotations: [{ key: 'size', valueExpression }] })
    expect((await annotated(" 'a' ")).status).toBe(201)
    const { status, body } = await annotated(' true')
    expect([status, body.message]).toEqual([
      422,
      'ValidatingAdmissionPolicy.admissionregistration.k8s.io "kept" is invalid: spec.auditAnnotations[0].valueExpression: Invalid value: " true": must evaluate to one of [string null_type]',
    ])
  })

  it('do not apply to access reviews and token reviews', async () => {
    const server = testServer()
    const reviews = {
      apiGroups: ['authentication.k8s.io', 'authorization.k8s.io'],
      apiVersions: ['*'],
      operations: ['*'],
      resources: ['*'],
    }
    await policy(server, 'no', {
      matchConstraints: { resourceRules: [reviews] },
      validations: [{ expression: 'false' }],
    })
    await binding(server, 'no-binding', 'no')
    const sendRequest = async (path: string, spec: JsonObject) =>
      (await server.send('POST', `/apis/${path}`, { spec })).status
    const resourceAttributes = { verb: 'get', resource: 'pods' }
    expect(
      await sendRequest('authorization.k8s.io/v1/selfsubjectaccessreviews', { resourceAttributes }),
    ).toBe(201)
    expect(
      await sendRequest('authorization.k8s.io/v1/subjectaccessreviews', {
        user: 'alice',
        resourceAttributes,
      }),
    ).toBe(201)
    expect(
      await sendRequest('authorization.k8s.io/v1/selfsubjectrulesreviews', {
        namespace: 'default',
      }),
    ).toBe(201)
    expect(await sendRequest('authentication.k8s.io/v1/tokenreviews', { token: 'admin' })).toBe(201)
    expect(await sendRequest('authentication.k8s.io/v1/selfsubjectreviews', {})).toBe(201)
  })

  it('report to the client, the audit log, or both', async () => {
    const events: AuditEvent[] = []
    const audit = {
      policy: parseAuditPolicy(
        '{"apiVersion":"audit.k8s.io/v1","kind":"Policy","rules":[{"level":"Metadata"}]}',
      ),
      sink: (event: AuditEvent) => void events.push(event),
    }
    const server = testServer({ audit })
    await policy(server, 'small', {
      validations: [{ expression: 'object.data.size() < 2', message: 'too much data' }],
      auditAnnotations: [{ key: 'size', valueExpression: 'string(object.data.size())' }],
    })
    await binding(server, 'warns', 'small', { validationActions: ['Warn', 'Audit'] })
    events.length = 0
    const { status, warnings } = await create(server, 'a', { a: '1', b: '2' })
    expect([status, warnings]).toEqual([
      201,
      `299 - "Validation failed for ValidatingAdmissionPolicy 'small' with binding 'warns': too much data"`,
    ])
    const annotations = (events.at(-1)?.annotations ?? {}) as Record<string, string>
    expect(annotations['small/size']).toBe('2')
    expect(
      JSON.parse(annotations['validation.policy.admission.k8s.io/validation_failure'] ?? ''),
    ).toEqual([
      {
        message: 'too much data',
        policy: 'small',
        binding: 'warns',
        expressionIndex: 0,
        validationActions: ['Warn', 'Audit'],
      },
    ])
  })

  it('have separate cost budgets', async () => {
    const server = testServer()
    const nested = '[1,2,3,4,5,6,7,8,9,10]'
    const heavy = 'abcdef'
      .split('')
      .reduceRight((inner, letter) => `${nested}.all(${letter}, ${inner})`, 'true')
    await policy(server, 'heavy', { failurePolicy: 'Ignore', validations: [{ expression: heavy }] })
    await policy(server, 'light', { validations: [{ expression: 'false', message: 'light' }] })
    await binding(server, 'heavy', 'heavy')
    await binding(server, 'light', 'light')
    expect((await create(server, 'a')).body.message).toContain(
      "'light' with binding 'light' denied request: light",
    )
  })

  it('see parameters without managedFields, and a namespaceObject without kind', async () => {
    const server = testServer()
    await server.send('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'settings' },
      data: { a: 'b' },
    })
    await policy(server, 'looks', {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [
        {
          expression: 'has(params.metadata.managedFields) || has(dyn(namespaceObject).kind)',
          message: 'nothing there',
        },
      ],
    })
    await binding(server, 'looks', 'looks', {
      paramRef: { name: 'settings', namespace: 'default', parameterNotFoundAction: 'Deny' },
    })
    expect((await create(server, 'a')).body.message).toMatch(/nothing there$/)
  })

  it('evaluate once per parameter that a selector matches', async () => {
    const server = testServer()
    const limits = (name: string, max: string) =>
      server.send('POST', '/api/v1/namespaces/default/configmaps', {
        metadata: { name, labels: { limits: 'yes' } },
        data: { max },
      })
    await policy(server, 'limited', {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      // Excludes the limits themselves; otherwise the first could not be created.
      matchConstraints: {
        resourceRules: [CONFIG_MAPS],
        objectSelector: { matchExpressions: [{ key: 'limits', operator: 'DoesNotExist' }] },
      },
      validations: [
        {
          expression: 'object.data.size() <= int(params.data.max)',
          messageExpression: "'more than ' + params.metadata.name",
        },
      ],
    })
    const selected = {
      selector: { matchLabels: { limits: 'yes' } },
      parameterNotFoundAction: 'Deny',
    }
    await binding(server, 'limited', 'limited', { paramRef: selected, validationActions: ['Warn'] })
    expect((await create(server, 'a')).body.message).toContain(
      'no params found for policy binding with `Deny` parameterNotFoundAction',
    )
    await limits('one', '1')
    await limits('two', '2')
    expect((await create(server, 'b', { a: '1', b: '2', c: '3' })).warnings).toMatch(
      /more than one.*more than two/,
    )
    expect((await create(server, 'c', { a: '1', b: '2' })).warnings).toMatch(/more than one"$/)
  })
})

describe('a user who writes a policy', () => {
  const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
  const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'

  /** Lets alice write policies, and grants additional rules. */
  async function allow(server: TestServer, rules: JsonObject[]): Promise<void> {
    const own = { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] }
    await server.send('POST', ROLES, { metadata: { name: 'author' }, rules: [own, ...rules] })
    await server.send('POST', BINDINGS, {
      metadata: { name: 'author' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'author' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
    })
  }

  const secrets = {
    paramKind: { apiVersion: 'v1', kind: 'Secret' },
    validations: [{ expression: 'true' }],
  }

  it('requires read permission on paramKind', async () => {
    const server = testServer()
    await allow(server, [])
    const { status, body } = await policy(server, 'p', secrets, 'alice')
    expect(status).toBe(422)
    expect(body.message).toContain(
      'spec.paramKind: Forbidden: user &{alice 2 [developers system:authenticated] map[]} must have "get" permission on all objects of the referenced paramKind (kind=Secret, apiVersion=v1)',
    )
  })

  it('requires read permission on the parameters of a binding', async () => {
    const server = testServer()
    await allow(server, [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }])
    expect((await policy(server, 'p', secrets, 'alice')).status).toBe(201)
    const ref = (paramRef: JsonObject) => ({
      paramRef: { namespace: 'default', parameterNotFoundAction: 'Deny', ...paramRef },
    })
    expect((await binding(server, 'named', 'p', ref({ name: 's' }), 'alice')).status).toBe(201)
    expect(
      (await binding(server, 'selected', 'p', ref({ selector: {} }), 'alice')).body.message,
    ).toContain(
      'spec.paramRef: Forbidden: user &{alice 2 [developers system:authenticated] map[]} does not have "list" permission on the object referenced by paramRef',
    )
  })
})
