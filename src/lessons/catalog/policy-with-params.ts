import type { Lesson } from '../lesson'

const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/shop/deployments'
const deployment = (name: string, replicas: number) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] },
    },
  },
})
const policy = (expression: string) => ({
  metadata: { name: 'replica-limit' },
  spec: {
    failurePolicy: 'Fail',
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ['apps'],
          apiVersions: ['v1'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['deployments'],
        },
      ],
    },
    validations: [{ expression, messageExpression: "'at most ' + params.data.max + ' replicas'" }],
  },
})
const binding = {
  metadata: { name: 'replica-limit-shop' },
  spec: {
    policyName: 'replica-limit',
    validationActions: ['Deny'],
    paramRef: { name: 'limit', namespace: 'shop', parameterNotFoundAction: 'Deny' },
    matchResources: {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } },
    },
  },
}

export const policyWithParams: Lesson = {
  id: 'policy-with-params',
  title: 'A policy with parameters',
  minutes: 10,
  about: 'Write one rule, with a parameter that others can change.',
  rules:
    'Validating admission policy: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/',
  story: `No Deployment of the shop may have more replicas than the number in the ConfigMap limit. The rule is one thing, the number another: a policy holds the rule, a binding states where it applies and which parameters it uses.`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: ConfigMap
metadata: { name: limit, namespace: shop }
data: { max: "3" }
`,
    files: [
      {
        title: 'policy.yaml',
        language: 'yaml',
        text: `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: replica-limit
spec:
  failurePolicy: Fail
  paramKind: { apiVersion: v1, kind: ConfigMap }
  matchConstraints:
    resourceRules:
      - apiGroups: [apps]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [deployments]
  validations:
    - expression: "true" # object.spec.replicas, params.data.max (a text)
      messageExpression: "'at most ' + params.data.max + ' replicas'"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: replica-limit-shop
spec:
  policyName: replica-limit
  validationActions: [Deny]
  paramRef: { name: limit, namespace: shop, parameterNotFoundAction: Deny }
  matchResources:
    namespaceSelector:
      matchLabels: { kubernetes.io/metadata.name: shop }
`,
      },
    ],
  },
  steps: [
    {
      title: 'Write the rule',
      text: 'Complete the expression in policy.yaml: the replicas must not exceed the number in the parameter. Then create the policy and its binding.',
      hints: [
        'params is the ConfigMap; its values are strings.',
        'int(params.data.max) is the number.',
        'object.spec.replicas <= int(params.data.max).',
      ],
      checks: [
        {
          kind: 'object',
          path: `${ADMISSION}/validatingadmissionpolicies/replica-limit`,
          is: { spec: { validations: [{ expression: '/params/' }] } },
          says: 'The policy is there, and looks at its parameter.',
        },
        {
          kind: 'object',
          path: `${ADMISSION}/validatingadmissionpolicybindings/replica-limit-shop`,
          is: { spec: { paramRef: { name: 'limit' } } },
          says: 'It is bound, with its parameter.',
        },
      ],
      solution: [
        {
          method: 'POST',
          path: `${ADMISSION}/validatingadmissionpolicies`,
          body: policy('object.spec.replicas <= int(params.data.max)'),
        },
        { method: 'POST', path: `${ADMISSION}/validatingadmissionpolicybindings`, body: binding },
      ],
    },
    {
      title: 'See it deny and allow',
      text: 'Create a Deployment big with 5 replicas in shop: it is denied with 422. Then small with 2: it is allowed.',
      hints: [
        'Two Deployments, one too large.',
        'Any manifest will do; the search has samples.',
        `POST ${DEPLOYMENTS} with replicas 5, then with 2.`,
      ],
      checks: [
        {
          kind: 'request',
          is: {
            resource: 'deployments',
            namespace: 'shop',
            code: 422,
            message: "ValidatingAdmissionPolicy 'replica-limit'",
          },
          says: 'Too many replicas were denied.',
        },
        {
          kind: 'object',
          path: `${DEPLOYMENTS}/small`,
          is: { spec: { replicas: 2 } },
          says: 'small is there, with 2.',
        },
      ],
      solution: [
        { method: 'POST', path: DEPLOYMENTS, body: deployment('big', 5), status: 422 },
        { method: 'POST', path: DEPLOYMENTS, body: deployment('small', 2) },
      ],
    },
    {
      title: 'Change the number, not the rule',
      text: 'Set max in the ConfigMap limit to 10 and create big again: the policy is the same, and now lets it in.',
      hints: [
        'The parameter is an ordinary object.',
        'Change data.max of the ConfigMap to "10".',
        'Then create big with 5 replicas once more.',
      ],
      checks: [
        {
          kind: 'object',
          path: '/api/v1/namespaces/shop/configmaps/limit',
          is: { data: { max: '10' } },
          says: 'The limit is 10.',
        },
        {
          kind: 'object',
          path: `${DEPLOYMENTS}/big`,
          is: { spec: { replicas: 5 } },
          says: 'big is there, with 5.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: '/api/v1/namespaces/shop/configmaps/limit',
          contentType: 'application/merge-patch+json',
          body: { data: { max: '10' } },
        },
        { method: 'POST', path: DEPLOYMENTS, body: deployment('big', 5) },
      ],
    },
  ],
  wrong: [
    // The number is part of the rule: changing it means changing the policy.
    {
      method: 'POST',
      path: `${ADMISSION}/validatingadmissionpolicies`,
      body: policy('object.spec.replicas <= 3'),
    },
    { method: 'POST', path: `${ADMISSION}/validatingadmissionpolicybindings`, body: binding },
    { method: 'POST', path: DEPLOYMENTS, body: deployment('big', 5), status: 422 },
    { method: 'POST', path: DEPLOYMENTS, body: deployment('small', 2) },
  ],
  after:
    'Change the binding to validationActions [Warn, Audit]: what happens to a violating Deployment then?',
}
