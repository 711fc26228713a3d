import { create } from 'zustand'
import { load, store } from '../../state/stored'
import type { TestTexts } from './test-sets'

export const FIRST_SET: TestTexts = {
  policies: `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: replica-limits
spec:
  paramKind: { apiVersion: v1, kind: ConfigMap }
  matchConstraints:
    resourceRules:
      - apiGroups: [apps]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [deployments]
  variables:
    - name: most
      expression: int(params.data.most)
  validations:
    - expression: object.spec.replicas <= variables.most
      messageExpression: "'at most ' + string(variables.most) + ' replicas'"
    - expression: |
        object.spec.template.spec.containers.all(c,
          !c.image.endsWith(':latest'))
      message: images have a version
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: replica-limits-everywhere
spec:
  policyName: replica-limits
  validationActions: [Deny]
  paramRef:
    name: replica-limits
    namespace: default
    parameterNotFoundAction: Deny
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: replica-limits
  namespace: default
data:
  most: "4"
`,
  tests: `apiVersion: kubetab/v1
kind: PolicyTest
metadata:
  name: replica limits
cases:
  - name: two replicas with a version
    object:
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: 2
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers:
              - { name: web, image: "registry.example.com/web:1.0" }
    expect:
      allowed: true
  - name: nine replicas of whatever is the latest
    object:
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: 9
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers:
              - { name: web, image: "registry.example.com/web:latest" }
    expect:
      allowed: false
      message: at most 4 replicas
`,
}

interface WorkbenchState {
  texts: TestTexts
  change(change: Partial<TestTexts>): void
}

const KEY = 'policy-workbench'

export const useWorkbench = create<WorkbenchState>((set, get) => ({
  texts: { ...FIRST_SET, ...load<Partial<TestTexts>>(KEY, {}) },
  change(change) {
    const texts = { ...get().texts, ...change }
    set({ texts })
    store(KEY, texts)
  },
}))
