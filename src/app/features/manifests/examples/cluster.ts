/** The cluster itself: its nodes and namespaces, limits, priorities, and what extends it. */
const CERTIFICATE =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJlVENDQVIrZ0F3SUJBZ0lVUTNDZ01sWHVxeHB3anBpQVJjSWJ5dzdTelp3d0NnWUlLb1pJemowRUF3SXcKRWpFUU1BNEdBMVVFQXd3SFpYaGhiWEJzWlRBZUZ3MHlOakV4TWpFeE5ERXhNemRhRncwek5qRXhNVGd4TkRFeApNemRhTUJJeEVEQU9CZ05WQkFNTUIyVjRZVzF3YkdVd1dUQVRCZ2NxaGtqT1BRSUJCZ2dxaGtqT1BRTUJCd05DCkFBUkNveXdxY2VIZ3oybHNkYk5jVFpZVUhTbytuN3pITWEwMEZVdm12azhSTXduc2I5Z1RvWDZqWHNMRFhwTXcKeFhqK1p0S050OWdGd1dENHZxZU5Gb3JvbzFNd1VUQWRCZ05WSFE0RUZnUVVhUlVnSEloc1J6K2plbm8zQXg5RQpUcUNSTVdjd0h3WURWUjBqQkJnd0ZvQVVhUlVnSEloc1J6K2plbm8zQXg5RVRxQ1JNV2N3RHdZRFZSMFRBUUgvCkJBVXdBd0VCL3pBS0JnZ3Foa2pPUFFRREFnTklBREJGQWlFQTBqMm9sYi9Sek52NDN5cG1IRnAxZU9Pb2swR2cKZ0NTa1JLUGthbjFSeTlrQ0lHdGplcm9sajM3aVI2YmUyUFBkZkpNTDM4cWcvTi9KM25UdXlmWjY4dWJpCi0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K'

export const CLUSTER: Record<string, string> = {
  'v1 Namespace': `# A scope for names, permissions and limits.
apiVersion: v1
kind: Namespace
metadata:
  name: team-blue
  labels:
    team: blue
`,
  'v1 Node': `# A machine that pods run on. Usually it registers itself.
apiVersion: v1
kind: Node
metadata:
  name: node-1
  labels:
    kubernetes.io/hostname: node-1
spec:
  podCIDR: 10.244.1.0/24
`,
  'v1 Event': `# Reports something about an object. Controllers create events; they expire after an hour.
apiVersion: v1
kind: Event
metadata:
  name: hello.by-hand
  namespace: default
involvedObject:
  apiVersion: v1
  kind: Pod
  name: hello
  namespace: default
type: Normal
reason: Greeted
message: Hello from the example.
source:
  component: by-hand
`,
  'events.k8s.io/v1 Event': `# The newer form of events: the same objects, seen in another way.
apiVersion: events.k8s.io/v1
kind: Event
metadata:
  name: hello.by-hand-too
  namespace: default
eventTime: "2026-01-01T12:00:00.000000Z"
reportingController: example.com/by-hand
reportingInstance: by-hand-1
action: Greet
type: Normal
reason: Greeted
note: Hello from the example.
regarding:
  apiVersion: v1
  kind: Pod
  name: hello
  namespace: default
`,
  'v1 LimitRange': `# Defaults and bounds for each container of the namespace.
apiVersion: v1
kind: LimitRange
metadata:
  name: container-sizes
  namespace: default
spec:
  limits:
    - type: Container
      defaultRequest:
        cpu: 50m
        memory: 64Mi
      default:
        cpu: 200m
        memory: 256Mi
      max:
        memory: 1Gi
`,
  'v1 ResourceQuota': `# Limits the total requests of a namespace.
apiVersion: v1
kind: ResourceQuota
metadata:
  name: team-share
  namespace: default
spec:
  hard:
    pods: "50"
    requests.cpu: "4"
    requests.memory: 8Gi
`,
  'scheduling.k8s.io/v1 PriorityClass': `# Pods of higher priority are scheduled first, and can preempt others.
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: important
value: 100000
description: What customers wait for.
`,
  'node.k8s.io/v1 RuntimeClass': `# Which container runtime a pod wants.
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata:
  name: sandboxed
handler: runsc
`,
  'coordination.k8s.io/v1 Lease': `# Held by one of several candidates, for leader election and heartbeats.
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata:
  name: shop-leader
  namespace: default
spec:
  holderIdentity: shop-1
  leaseDurationSeconds: 15
`,
  'apiextensions.k8s.io/v1 CustomResourceDefinition': `# A kind of your own: apply it, and the server serves it.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crontabs.stable.example.com
spec:
  group: stable.example.com
  scope: Namespaced
  names:
    plural: crontabs
    singular: crontab
    kind: CronTab
    shortNames: [ct]
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [cronSpec]
              properties:
                cronSpec:
                  type: string
                replicas:
                  type: integer
                  minimum: 1
                  default: 1
`,
  'apiregistration.k8s.io/v1 APIService': `# A part of the API that another server serves.
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata:
  name: v1.metrics.example.com
spec:
  group: metrics.example.com
  version: v1
  groupPriorityMinimum: 100
  versionPriority: 100
  insecureSkipTLSVerify: true
  service:
    name: metrics
    namespace: default
`,
  'admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration': `# Calls your server before an object is stored. Ignore: if the server fails, the object is stored anyway.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: check-labels
webhooks:
  - name: check-labels.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Ignore
    clientConfig:
      url: https://webhooks.example.com/check-labels
      caBundle: ${CERTIFICATE}
    rules:
      - apiGroups: [example.com]
        apiVersions: ["*"]
        operations: [CREATE]
        resources: ["*"]
`,
  'admissionregistration.k8s.io/v1 MutatingWebhookConfiguration': `# Lets a server of yours change what is to be stored.
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: add-labels
webhooks:
  - name: add-labels.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Ignore
    clientConfig:
      url: https://webhooks.example.com/add-labels
      caBundle: ${CERTIFICATE}
    rules:
      - apiGroups: [example.com]
        apiVersions: ["*"]
        operations: [CREATE]
        resources: ["*"]
`,
  'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy': `# A validation rule in CEL. It needs a binding to take effect.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: few-replicas
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - apiGroups: [apps]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [deployments]
  validations:
    - expression: object.spec.replicas <= 10
      message: no more than ten replicas
`,
  'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding': `# Puts a policy into effect, for the selected namespaces. This one only warns.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: few-replicas
spec:
  policyName: few-replicas
  validationActions: [Warn]
  matchResources:
    namespaceSelector:
      matchLabels:
        team: blue
`,
  'flowcontrol.apiserver.k8s.io/v1 FlowSchema': `# Which requests belong together, and how important they are.
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata:
  name: developers
spec:
  matchingPrecedence: 5000
  priorityLevelConfiguration:
    name: workload-low
  distinguisherMethod:
    type: ByUser
  rules:
    - subjects:
        - kind: Group
          group:
            name: developers
      resourceRules:
        - apiGroups: ["*"]
          resources: ["*"]
          verbs: ["*"]
          namespaces: ["*"]
`,
  'flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration': `# Limits the concurrent requests of a priority level, and queues the others.
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata:
  name: developers
spec:
  type: Limited
  limited:
    nominalConcurrencyShares: 10
    limitResponse:
      type: Queue
      queuing:
        queues: 16
        handSize: 4
        queueLengthLimit: 20
`,
}
