/** Examples of RBAC objects and access reviews. */
const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIZk1JR0dBZ0VBTUNReEV6QVJCZ05WQkFvTUNtUmxkbVZzYjNCbGNuTXhEVEFMQmdOVkJBTU1CR1Z5YVc0dwpXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQ0FBUUhIaHNvUTRTajB3djJBZmRMRHgwWjI4cTk1MGZZCkhHUnpEamxqQWhJTCtUcjRBRkp2N2Fhc1h3TG1HVWplc0dRR2lKSysyS05rTnZvaG92N3BPUlRnb0FBd0NnWUkKS29aSXpqMEVBd0lEU0FBd1JRSWhBSUZaUGtSUDFqcTIzOXg1NDZGQkFBSTAydXF4NDJ2VkQwNGh6QWRTRHlMcApBaUE1K2NiRTJYZDhraGNvbDFXcDV5L0xkS1BzK0hHMXZlTWF0MWsva2JNa1JnPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg=='

export const ACCESS: Record<string, string> = {
  'v1 ServiceAccount': `# The identity of programs that run in the cluster.
apiVersion: v1
kind: ServiceAccount
metadata:
  name: shop
  namespace: default
`,
  'rbac.authorization.k8s.io/v1 Role': `# Permissions in one namespace. A role grants nothing until it is bound to a subject.
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: read-settings
  namespace: default
rules:
  - apiGroups: [""]
    resources: [configmaps]
    verbs: [get, list, watch]
`,
  'rbac.authorization.k8s.io/v1 RoleBinding': `# Gives a role to users, groups or service accounts, in this namespace.
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: alice-edits
  namespace: default
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: edit
subjects:
  - apiGroup: rbac.authorization.k8s.io
    kind: User
    name: alice
`,
  'rbac.authorization.k8s.io/v1 ClusterRole': `# Permissions in all namespaces, or for cluster-scoped objects.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: see-nodes
rules:
  - apiGroups: [""]
    resources: [nodes]
    verbs: [get, list, watch]
`,
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': `# Gives a cluster role everywhere.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: developers-view
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: view
subjects:
  - apiGroup: rbac.authorization.k8s.io
    kind: Group
    name: developers
`,
  'certificates.k8s.io/v1 CertificateSigningRequest': `# Requests a certificate: spec.request is a PKCS #10 request in base64.
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata:
  name: erin
spec:
  signerName: kubernetes.io/kube-apiserver-client
  usages: [client auth]
  expirationSeconds: 86400
  request: ${REQUEST}
`,
  'authentication.k8s.io/v1 SelfSubjectReview': `# Who am I? Create it: the result is in its status, and nothing is persisted.
apiVersion: authentication.k8s.io/v1
kind: SelfSubjectReview
`,
  'authentication.k8s.io/v1 TokenReview': `# Whose token is this? Create it: the result is in its status.
apiVersion: authentication.k8s.io/v1
kind: TokenReview
spec:
  token: alice-token
`,
  'authorization.k8s.io/v1 SelfSubjectAccessReview': `# Can I? Create it: the result is in its status.
apiVersion: authorization.k8s.io/v1
kind: SelfSubjectAccessReview
spec:
  resourceAttributes:
    namespace: default
    group: apps
    resource: deployments
    verb: create
`,
  'authorization.k8s.io/v1 SelfSubjectRulesReview': `# What can I do in this namespace? Create it: the result is in its status.
apiVersion: authorization.k8s.io/v1
kind: SelfSubjectRulesReview
spec:
  namespace: default
`,
  'authorization.k8s.io/v1 SubjectAccessReview': `# Can another user? Create it: the result is in its status.
apiVersion: authorization.k8s.io/v1
kind: SubjectAccessReview
spec:
  user: alice
  groups: [developers]
  resourceAttributes:
    namespace: default
    resource: secrets
    verb: list
`,
  'authorization.k8s.io/v1 LocalSubjectAccessReview': `# Can another user, in this namespace? Create it: the result is in its status.
apiVersion: authorization.k8s.io/v1
kind: LocalSubjectAccessReview
metadata:
  namespace: default
spec:
  user: alice
  resourceAttributes:
    namespace: default
    resource: pods
    verb: get
`,
}
