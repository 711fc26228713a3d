/** Manifests to begin with. */
export interface Sample {
  title: string
  about: string
  text: string
}

export const SAMPLES: Sample[] = [
  {
    title: 'web.yaml',
    about: 'Deployment with a Service',
    text: `# Press Apply (Ctrl/Cmd + Enter) and watch the objects appear.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: default
  labels:
    app: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: nginx
          image: nginx:1.27
          ports:
            - containerPort: 80
---
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: default
spec:
  selector:
    app: web
  ports:
    - port: 80
`,
  },
  {
    title: 'settings.yaml',
    about: 'ConfigMap',
    text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: default
data:
  color: blue
  retries: "3"
`,
  },
  {
    title: 'team.yaml',
    about: 'Namespace with a Role and RoleBinding',
    text: `apiVersion: v1
kind: Namespace
metadata:
  name: team-a
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: reader
  namespace: team-a
rules:
  - apiGroups: ["", "apps"]
    resources: ["configmaps", "deployments"]
    verbs: ["get", "list", "watch"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: alice-reads
  namespace: team-a
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: reader
subjects:
  - kind: User
    apiGroup: rbac.authorization.k8s.io
    name: alice
`,
  },
]
